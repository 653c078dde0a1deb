import { defineSentences } from './to-sentence.ts'

/** Errors of requests for replies, and of budgets. */
export const chatSentences = {
  'budget.replies': 'Too many replies are being written for you at once. Please wait until one has ended.',
  'budget.none': 'Your account may not use the assistant. Please ask your administrator.',
  'budget.day_tokens':
    "You have reached today's limit for replies. It is {limit, number} tokens, cached ones counted in full, and resets at midnight (UTC). Your administrator can raise it.",
  'budget.day_money':
    "You have reached today's limit for replies. It is {limit, usd}, and resets at midnight (UTC). Your administrator can raise it.",
  'budget.month_tokens':
    "You have reached this month's limit for replies. It is {limit, number} tokens, cached ones counted in full, and resets on {date, day} (UTC). Your administrator can raise it.",
  'budget.month_money':
    "You have reached this month's limit for replies. It is {limit, usd}, and resets on {date, day} (UTC). Your administrator can raise it.",
  'budget.schedule':
    'This run has used up what one run of a schedule may use. Ask for less at a time, or go on in the conversation.',
  'budget.images': 'The user has reached the daily limit for images. It resets at midnight (UTC). Say so.',
  'budget.everybody':
    "This assistant has reached today's limit for all users. It resets at midnight (UTC), or when the people who run it raise the limit.",
  replies_stopped: 'An administrator has stopped all replies.',
  too_many_streams: 'You are following too many replies at once. Please close a tab, or wait a moment.',
  model_not_available: 'This model is not available any more. Please reload the page and choose another one.',
  effort_not_available: 'This model does not have the chosen effort. Please choose another one.',
  'model_not_allowed.none': 'You may not use any model. Please ask your administrator.',
  'model_not_allowed.others': 'You may not use {name}. Please choose {others}, or ask your administrator.',
  'model_not_allowed.more':
    'You may not use {name}. Please choose {others} or another one, or ask your administrator.',
  'bad_request.not_of_user': 'The last message must be one of the user.',
  'bad_request.empty_message': 'The message is empty.',
  'bad_request.contradiction': 'The decision and the response to the server contradict each other.',
  'bad_request.fill_in': 'Please reload the page, and fill in the form.',
  'bad_request.form_field': '{label}: {problem}',
  'bad_request.other_form': 'The response answers a form that the server did not ask for.',
  'bad_request.too_long': 'This is too long to be sent. Please shorten it.',
} as const

export const sayChat = defineSentences(chatSentences)
