/** Fills the placeholders of a link template such as `https://acme.example/watch/{id}`; missing values become empty. */
export function fillTemplate(template: string, getValue: (name: string) => string): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(getValue(name)))
}
