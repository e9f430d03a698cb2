// The open question: its text, a field and a button. What is typed stays here until it is given.
function render({ model, el }) {
  const box = document.createElement("div");
  const prompt = document.createElement("span");
  const answer = document.createElement("span");
  const input = document.createElement("input");
  const button = document.createElement("button");
  answer.append(input, button);
  box.append(prompt, answer);
  el.append(box);
  box.className = "mg-ask";
  Object.assign(input, { autocomplete: "off", spellcheck: false, size: 8 });
  Object.assign(button, { className: "jupyter-button mg-main", textContent: "Predict" });
  const update = () => {
    box.hidden = model.get("prompt") === "";
    prompt.textContent = model.get("prompt");
    input.setAttribute("aria-label", model.get("prompt"));
    input.placeholder = model.get("hint");
    input.value = "";
  };
  const give = () => model.send({ answer: input.value });
  button.addEventListener("click", give);
  input.addEventListener("keydown", (event) => event.key === "Enter" && give());
  input.addEventListener("input", () => model.send({ typing: true }));
  model.on("change:step", update);
  model.on("msg:custom", (message) => message === "focus" && input.focus());
  update();
}

export default { render };
