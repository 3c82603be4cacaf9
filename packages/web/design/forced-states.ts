/** A state that can be forced, the selectors that it stands for, and the elements that have it. */
const states = [
  { state: "hover", pattern: /:hover|\[data-hovered\]/g, elements: "*" },
  { state: "pressed", pattern: /:active|\[data-pressed\]/g, elements: "*" },
  {
    state: "focus",
    pattern: /:focus-visible|\[data-focus-visible\]/g,
    elements: ":is(a, button, input, select, textarea)",
  },
  { state: "focus", pattern: /\[data-focus-within\]/g, elements: "*" },
] as const;

export type State = (typeof states)[number]["state"];

/**
 * Repeats each rule for a state, so that it applies inside elements with `data-forced` too. The pointer and the keyboard can show
 * only one element at a time in such a state.
 */
export function forceStates(): void {
  for (const sheet of document.styleSheets) repeat(sheet);
}

function repeat(group: CSSStyleSheet | CSSGroupingRule): void {
  for (let at = group.cssRules.length - 1; at >= 0; at--) {
    const rule = group.cssRules[at];
    if (rule instanceof CSSGroupingRule) repeat(rule);
    else if (rule instanceof CSSStyleRule)
      for (const { state, pattern, elements } of states) {
        const forced = rule.selectorText.replace(pattern, `:is([data-forced="${state}"] ${elements})`);
        if (forced !== rule.selectorText) group.insertRule(`${forced} { ${rule.style.cssText} }`, at + 1);
      }
  }
}
