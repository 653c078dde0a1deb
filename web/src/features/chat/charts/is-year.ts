/** Whether a value is a number that is probably a year, which is shown without separators: data is rarely older, and other numbers larger. */
export const isYear = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100
