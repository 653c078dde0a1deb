import { defineSentences } from './to-sentence.ts'

/** Notices and failures of replies. The page has `connection_lost` itself, too: it notices it without the service. */
export const replySentences = {
  connection_lost:
    "I'm having trouble connecting to the chat service. Please try refreshing the page or signing in again.",
  reply_not_stored: 'The reply could not be saved. Please try again in a moment.',
  service_error: 'Service error: {message}',
  tools_unavailable:
    'The model could not use tools for this reply, or for a part of it. What was looked up or done is listed here. Please tell the people who run this assistant.',
  'tools_left_out.web_search':
    "The model's server did not accept its own web search. The reply goes without it.",
  'tools_left_out.these':
    "The model's server did not accept these tools as their servers describe them, so the reply goes without them: {names}.",
  'tools_left_out.more':
    "The model's server did not accept these tools as their servers describe them, so the reply goes without them: {names}, and {more} more.",
  'images_unavailable.model': 'This model cannot see images. The reply is based on the text alone.',
  'images_unavailable.refused':
    "The model's server did not accept the images of this conversation. The reply is based on the text alone.",
  'images_unavailable.some':
    "The model's server did not accept some of the images of this conversation ({images}). The reply goes without them.",
  'images_unavailable.above':
    "The model's server did not accept some of the images of this conversation ({images}): it named a limit of {limit}. The reply goes without them.",
  'results_cut.these':
    'This model could not take all that the tools returned. It was given only the beginning of the results of: {names}.',
  'results_cut.more':
    'This model could not take all that the tools returned. It was given only the beginning of the results of: {names}, and {more} more.',
  effort_unavailable:
    'This model cannot reason while it uses tools here, so the chosen effort was not used for this reply.',
  model_waits:
    'This reply takes {seconds, duration} longer: the model was busy, and its server asked to wait.',
  model_replaced: 'The model of this conversation is no longer available. Another model wrote this reply.',
  assistant_updated: 'There is a new version of the assistant {name}. It is used from this reply on.',
  'assistant_updated.with_news':
    'There is a new version of the assistant {name}, which is used from this reply on: {news}',
  assistant_gone:
    'The assistant {name} is not available to you any more. The conversation goes on without its instructions and files.',
  'assistant_gone.temporary':
    'The assistant of this chat is not available to you any more. The chat goes on without its instructions and files.',
  reply_filtered: "The model's content filter stopped this reply.",
} as const

export const sayReply = defineSentences(replySentences)
