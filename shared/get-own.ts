/** The value of a record under a name that others chose: `constructor` and its like, which every object inherits, are no values of it. */
export const getOwn = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
