import type { AssistantHead, Member } from '../assistants/assistant-reader.ts'
import type { ReplyAssistant, ReplyDeps } from './reply.ts'

/**
 * Begins to load a version of an assistant, beside the other work of the start. One that is gone by now is replaced by the newest.
 * @param head as it was just read
 */
export function openAssistant(
  assistants: ReplyDeps['assistants'],
  user: Member,
  head: AssistantHead,
  version: number,
): ReplyAssistant {
  async function load(): ReplyAssistant['content'] {
    const found = await assistants.loadVersion(head.id, version)
    if (found) return { head, version, content: found }
    const current = await assistants.find(user, head.id)
    const newest = current && (await assistants.loadVersion(head.id, current.version))
    return current && newest && { head: current, version: current.version, content: newest }
  }
  const content = load()
  // whoever waits for it gets the error
  content.catch(() => undefined)
  return { name: head.name, isMine: head.publisher === user.sub, content }
}
