/** Whether a value is an integer from 1900 to 2100. If a column has no others, it is shown as years: without separators. */
export const isYear = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100
