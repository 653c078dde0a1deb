const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** A day in the reader's own way of writing it: 'Nov 3, 2026', '3 Nov 2026', '3. Nov. 2026'. */
export const shortDate = (at: Date | number): string => format.format(at)
