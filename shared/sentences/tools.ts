import { deniedByUser, notReconnected } from '../denied-call.ts'
import { defineSentences } from './to-sentence.ts'

/** Why a call of a tool failed, and what of its result was left out: for the model, and for the user below the call. */
export const toolSentences = {
  denied: deniedByUser,
  'denied.not_reconnected': notReconnected,
  may_be_done: 'It may have been done: check before you try again.',
  ask_for_less:
    'Ask for fewer results or for a narrower part; if it is one entry, tell the user to open it at the service.',
  call_failed: 'The call failed.',
  tool_failed: '{message}',
  tool_late: 'No answer within {seconds, number} seconds.',
  'call_invalid.unknown': 'This call cannot run.',
  'call_invalid.no_tool': 'There is no tool named {tool}.',
  'call_invalid.no_tool_similar': 'There is no tool named {tool}. The closest are: {names}.',
  'call_invalid.cut':
    'The arguments were cut off, because your answer reached its limit of length. Nothing was done. Write less in one call, or use several.',
  'call_invalid.cut_early':
    'The arguments were cut off, because your answer ended early. Nothing was done. Make the call again.',
  'call_invalid.not_json': 'The arguments are not a JSON object.',
  'call_invalid.too_long': 'The arguments have more than {max} bytes.',
  'call_invalid.schema': 'The arguments do not fit: {problem}',
  'call_invalid.too_many':
    'Too many calls in one step. Only the first {max} were made. Call the others in your next step.',
  'call_invalid.repeated': 'You have made this very call {times} times. Answer with what you have.',
  'call_invalid.deferred': '{problem} Its parameters: {schema}',
  reconnect_required: '{name} has to be connected again by the user.',
  refresh_failed: '{name} did not renew its permission. Please try again in a moment.',
  'refresh_failed.wait': '{name} did not renew its permission. Please try again {seconds, wait}.',
  'provider_busy.wait': '{name} takes no more requests right now. Please try again {seconds, wait}.',
  provider_busy: '{name} takes no more requests right now. Please try again in a moment.',
  provider_permission:
    '{name} needs a permission that was not granted. The user can grant it on the integrations page: disconnect {name}, connect it again, and allow everything that is asked for.{said, quote}',
  'provider_permission.scopes':
    '{name} needs a permission that was not granted ({scopes}). The user can grant it on the integrations page: disconnect {name}, connect it again, and allow everything that is asked for.{said, quote}',
  provider_forbids: '{name} does not allow this.{said, quote}',
  provider_not_found: '{name} has no such thing, or it is not visible to this account.{said, quote}',
  provider_fault: '{name} has a fault of its own ({status}). Please try again later.',
  'provider_fault.reported': '{name} has a fault of its own. Please try again later.',
  provider_refused_request: '{name} refused the request ({status}).{said, quote}',
  'provider_refused_request.reported': '{name} refused the request.{said, quote}',
  provider_no_answer: '{name} did not answer.',
  'provider_no_answer.late': '{name} did not answer in time.',
  'provider_no_answer.recently': '{name} did not list its tools just now. Please try again in a moment.',
  'provider_no_answer.lost': 'The connection to {name} was lost.',
  'provider_no_answer.broke_off': 'The connection broke off before the answer of {name} was complete.',
  provider_bad_answer: '{name} answered with something that could not be read.',
  'provider_bad_answer.too_large': '{name} answered with more than can be read.',
  'provider_bad_answer.too_large_ask_less': '{name} answered with more than can be read. Ask for less.',
  'provider_bad_answer.not_json': '{name} answered with something that is no JSON.',
  'provider_bad_answer.web_page': '{name} answered with a web page, not as an MCP server does.',
  'provider_bad_answer.not_mcp': '{name} did not answer as an MCP server does.{said, quote}',
  'provider_bad_answer.format': 'The service responded in an unexpected format.',
  image_unusable: 'The image model gave no usable image.',
  'image_unusable.address': 'The image model answered with an address that is not allowed.',
  'image_unusable.not_fetched': 'The image could not be fetched from the image model.',
  provider_address: 'The address of {name} may not be called.',
  provider_no_such_name: '{name} has nothing by this name.',
  provider_more_permissions: '{name} asks for more permissions than can be granted.',
  slack_not_in_channel:
    'The Slack app is not in this channel, so it can neither read nor post there. A member of the channel has to invite it first: /invite @ and the name of the app.',
  server_refused_call: '{name} refused the call. It said: "{message}"',
  server_tool_gone: '{name} does not have this tool any more: {problem}',
  server_unfinished: '{name} did not complete the call after {attempts} attempts.',
  server_asked:
    '{name} asked the user for something, which was declined: {problem}. The call was not completed.',
  'app_unusable.kind': '{name} did not send an app of a kind that can be shown.',
  'app_unusable.empty': '{name} sent an empty app.',
  'app_unusable.too_large': 'The app of {name} is too large.',
  'task_failed.other_server': '{name} is connected to another server now, which does not have this task.',
  'task_failed.given_up': 'The task of {name} was not finished in time, so it was given up.',
  'task_failed.unfollowable': '{name} began a task in a way that cannot be followed.',
  'task_failed.unsaid': '{name} did not say what became of its task.',
  'task_failed.failed': 'The task of {name} failed.{said, quote}',
  'task_failed.cancelled': 'The task was cancelled by {name}.{said, quote}',
  'task_failed.unreadable': 'The task of {name} is done, but its result cannot be read.',
  'task_failed.unknown':
    '{name} does not know this task any more, so its result is lost. It may have been done.',
  'task_failed.refused': '{name} does not say what became of its task.{said, quote}',
  'call_stopped.task_cancelled':
    'The user cancelled this task before it was finished. Parts of it may have been done.',
  'call_stopped.unfinished': 'Stopped before it was finished. It may have been done.',
  'call_stopped.unanswered': 'Stopped before it answered.',
  'call_stopped.unanswered_write': 'Stopped before it answered. It may have been done.',
  'call_stopped.task_lapsed':
    'The task was given up: its result was not fetched for 30 days. It may have been done.',
  'call_stopped.task_expired':
    'The task was given up: its server did not respond while it had the result. It may have been done.',
  'call_stopped.task_too_long':
    'The server needs longer than this reply can wait, so the task was given up. Parts of it may have been done. In a chat of the page it can be waited for.',
  'call_stopped.task_lost':
    'The task cannot be asked for any more, because its connection is gone. The call may have been done.',
  'call_stopped.same_permissions':
    '{name} still refuses this call for missing permissions, though the user has connected it again.',
  'call_stopped.approval_old': 'The approval came too long ago. Ask again.',
  'call_stopped.asked_often':
    '{name} has asked the user for input {times} times in this call, so the call was ended.',
  'call_not_made.approval': 'Not done: the user has to allow it, in a chat of the page.',
  'call_not_made.reconnect': 'Not done: the user has to connect it again, in a chat of the page.',
  'call_not_made.elicitation':
    'Not finished: the user has to answer what its server asks, in a chat of the page.',
  'file_left_out.program': 'A file was left out: it is a program.',
  'file_left_out.empty': '{name} was left out: it is empty.',
  'file_left_out.too_large': '{name} was left out: it has more than {megabytes} MB.',
  'file_left_out.too_large_temporary':
    '{name} was left out: it has more than {megabytes} MB, the most in a temporary chat.',
  'file_left_out.too_many': '{name} was left out: this reply has {max} files already.',
  'file_left_out.too_much_temporary':
    '{name} was left out: this reply has {megabytes} MB of files, the most in a temporary chat.',
  'file_left_out.not_stored': '{name} was left out. {why}',
  'file_left_out.store_failed': '{name} was left out. It could not be stored.',
  files_left_out:
    '{count, plural, one {# more file was} other {# more files were}} left out: {max} of a result are shown.',
  file_shown_only: '{name} is shown to the user only.',
} as const

export const sayTool = defineSentences(toolSentences)

/** Why an app of a server is not shown. */
export const appSentences = {
  app_not_shown: '{why}',
  app_gone: '{name} has no app for this any more.',
  app_no_answer: 'Something went wrong while asking {name}. Please try again in a moment.',
  app_not_allowed: 'You may not use this connection any more. Please ask your administrator.',
} as const
