// The look of what we put on a page: common rules, and a theme's colors as CSS variables.
import common from "./common.css";

export type Themes = Record<"light" | "dark", Record<string, string>>;

/** JupyterLab says on the body which theme it has; elsewhere the system's counts. */
export function look(themes: Themes): string {
  const [light, dark] = [themes.light, themes.dark].map((theme) =>
    Object.entries(theme)
      .map(([role, color]) => `--minigrad-${role}: ${color};`)
      .join(" "),
  );
  return `${common}
.minigrad-view { ${light} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-view { ${dark} } }
body[data-jp-theme-light="false"] .minigrad-view { ${dark} }`;
}
