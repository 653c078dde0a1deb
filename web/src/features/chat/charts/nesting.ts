/** Far more levels than a chart needs. What follows JSON into its parts, such as `JSON.stringify`, overflows the stack at some thousands. */
const maxLevels = 40

/** Whether parsed JSON has lists and objects inside each other on more levels than that. */
export const isNestedTooDeep = (value: unknown, levels = maxLevels): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedTooDeep(inner, levels - 1)))
