import type { ToolActivity } from '#shared/chat-events.ts'
import { isDocument, type NamedFile } from '#shared/file-kinds.ts'
import { isCallEnded, type ReplyCall } from '#shared/reply/reply-state.ts'

/** What the assistant is doing, for the icon of the thinking indicator. */
export type ActivityKind = ToolActivity | 'chat'

/** What parts of tools' names say, the first that matches. */
const namePatterns: readonly [RegExp, ActivityKind][] = [
  [/video/i, 'video_generation'],
  [/image|picture|(?<!with)draw/i, 'image_generation'],
  [/attachment|document|pdf/i, 'document_analysis'],
  [/search|browse|lookup|find|web(?!hook)|fetch/i, 'research'],
]

/** Guesses the activity from a tool's name, for tools that declare none. */
function guessActivityKind(toolName: string): ActivityKind {
  return namePatterns.find(([pattern]) => pattern.test(toolName))?.[1] ?? 'other'
}

/** The activity of the last tool that runs; without one, what is done with the files of the user's message; without files, chat. */
export function getActivityKind(calls: readonly ReplyCall[], files: readonly NamedFile[]): ActivityKind {
  const runningCall = calls.findLast((call) => !isCallEnded(call))
  if (runningCall) return runningCall.activity?.kind ?? guessActivityKind(runningCall.name)
  if (files.some(isDocument)) return 'document_analysis'
  return files.length > 0 ? 'file_upload' : 'chat'
}
