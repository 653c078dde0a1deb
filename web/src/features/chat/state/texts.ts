// chat-failure
export const offline = 'You are offline. Press Retry when the connection is back.'
export const withLocalTime = (message: string, time: string) =>
  `${message} In your time zone that is ${time}.`
export const creationFailed = "Oops! Couldn't create chat"
export const chatError = 'Chat Error'

// decision-error
export const decisionNotSent = 'Your answer was not sent. Please try again.'

// conversations
export const documentError = 'Document Analysis Error'
