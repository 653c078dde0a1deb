// code that the chat loads with the first conversation of an assistant, as one chunk (ADR 0035)
import { assistantGone } from '#shared/chat-texts.ts'
import { addPublishedFiles } from '../../assistants/published-files.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import { addNotice } from '../progress.ts'
import type { OpenedReply, ReplyDeps } from '../reply.ts'
import { hasConnection } from '../waiting-tasks.ts'
import type { AssistantContext } from './instructions.ts'

export { assistantReader, countAssistantUse } from '../../assistants/assistant-reader.ts'

/** Stands for the project of a conversation that has none: the files of its assistant come the same way. */
const noProject = 'assistant'

/**
 * What a prompt is loaded from when an assistant is used: its files stand before those of the conversation's project, and are read, searched
 * and queried like them. One that is gone by now counts as none.
 */
export async function addAssistant(
  deps: ReplyDeps,
  reply: OpenedReply,
): Promise<{ deps: ReplyDeps; reply: OpenedReply; assistant?: AssistantContext }> {
  const { sub, assistant, user } = reply
  if (!assistant) return { deps, reply }
  const [opened, connected] = await waitForAll([assistant.content, user.connected])
  if (!opened) {
    if (!assistant.isKnownGone) addNotice(reply, assistantGone(assistant.name))
    return { deps, reply: { ...reply, assistant: undefined } }
  }
  const { head, version, content } = opened
  const published = addPublishedFiles(deps.fileDeps, sub, { ...head, version }, content.files)
  const projects: ReplyDeps['projects'] = {
    async find(owner, id) {
      const project = id === noProject ? undefined : await deps.projects.find(owner, id)
      const { name = '', instructions = '', file_ids = [], ...rest } = project ?? {}
      return {
        id,
        created_at: '',
        updated_at: '',
        ...rest,
        name,
        instructions,
        file_ids: [...published.ids, ...file_ids],
      }
    },
  }
  const { name, tools } = head
  return {
    deps: { ...deps, fileDeps: published.deps, projects },
    reply: { ...reply, projectId: reply.projectId ?? noProject },
    assistant: {
      name,
      instructions: content.instructions,
      isMine: assistant.isMine,
      missingTools: tools.flatMap(({ id, name: tool }) =>
        hasConnection(connected, id, deps.toolsAllowed) ? [] : tool,
      ),
    },
  }
}
