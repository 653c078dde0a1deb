import { isDocument, type NamedFile } from '#shared/file-kinds.ts'
import type { ShownTool } from './live-tool-calls.ts'

/** CHAT-24, DEC-042 */
export type ThinkingType =
  | 'image_generation'
  | 'video_generation'
  | 'research'
  | 'file_upload'
  | 'document_analysis'
  | 'chat'
  | 'other'

const byName: readonly [RegExp, ThinkingType][] = [
  [/video/i, 'video_generation'],
  [/image|picture|draw/i, 'image_generation'],
  [/attachment|document|\bpdf\b/i, 'document_analysis'],
  [/search|research|browse|lookup|find|web|fetch/i, 'research'],
]

/** DEC-113: the kind of activity that a name tells, for a tool that declares none. */
export function activityOf(toolName: string): ThinkingType {
  return byName.find(([pattern]) => pattern.test(toolName))?.[1] ?? 'other'
}

/** DEC-042: from what the page knows: a running tool, else what the message carries, else plain thinking. */
export function thinkingType(tools: readonly ShownTool[], files: readonly NamedFile[]): ThinkingType {
  const running = tools.findLast(({ status }) => status === 'running')
  if (running) return running.activity?.kind ?? activityOf(running.name)
  if (files.some(isDocument)) return 'document_analysis'
  return files.length > 0 ? 'file_upload' : 'chat'
}
