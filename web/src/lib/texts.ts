export const serviceUnreachable = 'The service could not be reached. Please try again.'
