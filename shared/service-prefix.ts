/** How the error of a failed reply begins. */
export const servicePrefix = 'Service error: '

/** The error without its beginning. */
export const withoutServicePrefix = (error: string): string =>
  error.startsWith(servicePrefix) ? error.slice(servicePrefix.length) : error
