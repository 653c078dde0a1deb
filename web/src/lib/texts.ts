/** The language of the texts, for months and 'ago' in sentences. Other dates follow the browser. */
export const language = 'en'
export const serviceUnreachable = 'The service could not be reached. Please try again.'

// api-errors
export const signInAgain = 'Please sign in again.'
export const offline = 'You are offline. Please try again when you are online.'

// auth-tokens
export const signOutUnconfirmed =
  'You are signed out in this browser, but the sign-in service did not confirm it.'

// call-api
export const unexpectedResponse = 'The service answered with something unexpected. Please try again.'

// dates
export const today = 'Today'
export const yesterday = 'Yesterday'
export const previousWeek = 'Previous 7 days'

// reply-notifications
export const replyReady = 'Your reply is ready.'
