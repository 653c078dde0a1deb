import { defineSentences } from './to-sentence.ts'

/** Why no proper reply came from the model. */
export const modelSentences = {
  model_unreachable: "The assistant's model could not be reached. Please try again in a moment.",
  model_silent: "The assistant's model did not answer in time. Please try again.",
  model_key_refused: "The assistant's model refused this product's key. Please tell the people who run it.",
  model_not_permitted:
    'This assistant may not use the chosen model. Please choose another model, or tell the people who run it.',
  model_unknown: 'The configured model does not exist. Please tell the people who run this assistant.',
  model_retired:
    'This model has been shut down by its provider. Please choose another model, or tell the people who run this assistant.',
  model_no_credit:
    "The account for the assistant's model has no credit left. Please tell the people who run this assistant.",
  model_spend_limit:
    "The account for the assistant's model has used up its quota or its spending limit. Please tell the people who run this assistant.",
  model_account_suspended:
    "The provider has suspended the account for the assistant's model. Please tell the people who run this assistant.",
  model_not_allowed_by_account:
    "The settings of the account for the assistant's model do not allow this model: its data policy or its list of providers. Please choose another model, or tell the people who run this assistant.",
  model_out_of_memory:
    "The model, or this conversation, needs more memory than the model's server has. Please start a new conversation, choose a smaller model, or tell the people who run this assistant.",
  model_loading: "The assistant's model is still being loaded. Please try again in a minute.",
  model_region:
    "The provider of the assistant's model does not serve the region that this assistant runs in. Please choose another model, or tell the people who run it.",
  model_server_missing:
    "The address of the assistant's model does not answer as a model does. Please tell the people who run this assistant.",
  model_effort_rejected:
    'This model does not support the chosen reasoning effort. Please choose another one.',
  model_context_exceeded:
    'This conversation is too long for the model. Please start a new one, or choose a model with a larger context window.',
  model_filtered: "The model's content filter stopped this reply. Please rephrase your message.",
  model_busy: "The assistant's model is busy. Please try again in a moment.",
  'model_busy.wait': "The assistant's model is busy. Please try again {seconds, wait}.",
  model_bad_call:
    'The model wrote a call of a tool that its server could not read. Please try again, or choose another model.',
  model_refused:
    "The assistant's model did not accept this request. Please try again, or tell the people who run this assistant.",
  model_broken: "The assistant's model had a problem. Please try again in a moment.",
  model_cut: 'The reply was cut off. Please try again.',
  'model_cut.busy': "The reply was cut off: the assistant's model is busy. Please try again in a moment.",
  'model_cut.busy_wait':
    "The reply was cut off: the assistant's model is busy. Please try again {seconds, wait}.",
  model_unreadable: "The assistant's model sent a reply that could not be read. Please try again.",
  model_out_of_length:
    'The model used up its limit of length before it wrote an answer. Please ask for less, choose less reasoning effort, or tell the people who run this assistant.',
  model_empty: "The assistant's model sent an empty reply. Please try again.",
} as const

export const sayModel = defineSentences(modelSentences)

/** For administrators, who can mend it. */
export const modelAdministratorSentences = {
  'model_unknown.administrator':
    'The model server does not know the model “{id}”. Correct OPENAI_MODEL or MODELS (on AWS openaiModel or models), and start or deploy again.',
  'model_key_refused.administrator': 'The model server refused the request: {answer}',
  'model_not_permitted.administrator': 'The model server refused the request: {answer}',
  'model_server_missing.administrator': 'The model server refused the request: {answer}',
  'model_refused.administrator': 'The model server refused the request: {answer}',
} as const
