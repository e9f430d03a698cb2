// The colors of a theme as CSS variables of a part of the page.

/** JupyterLab says on the body which theme it has; elsewhere the system's counts. */
export function colors<Theme extends object>(part: string, themes: Record<"light" | "dark", Theme>): string {
  const [light, dark] = [themes.light, themes.dark].map((theme) =>
    Object.entries(theme)
      .map(([role, color]) => `--minigrad-${role}: ${color};`)
      .join(" "),
  );
  return `
${part} { ${light} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) ${part} { ${dark} } }
body[data-jp-theme-light="false"] ${part} { ${dark} }`;
}
