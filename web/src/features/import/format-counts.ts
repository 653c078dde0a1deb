import { plural, t } from '@lingui/core/macro'
import { formatList } from '../../lib/text/locale.ts'
import type { LibraryCounts } from './send-library.ts'

const formatConversationCount = (count: number) =>
  plural(count, { one: '# conversation', other: `# conversations` })
const formatMessageCount = (count: number) => plural(count, { one: '# message', other: `# messages` })
const formatFileCount = (count: number) => plural(count, { one: '# file', other: `# files` })

/** How much was imported, such as `2 conversations, 9 messages, 1 file`. */
export const formatImportedCounts = (conversations: number, messages: number, files: number) =>
  formatList([formatConversationCount(conversations), formatMessageCount(messages), formatFileCount(files)])

const formatProjectCount = (count: number) => plural(count, { one: '# project', other: `# projects` })
const formatPromptCount = (prompts: number) =>
  plural(prompts, { one: '# saved prompt', other: `# saved prompts` })
const formatMemoryCount = (count: number) => plural(count, { one: '# memory', other: `# memories` })

/** Names the kinds that were imported; empty if there are none. */
export const formatLibraryCounts = ({ projects, prompts, memories, hasInstructions }: LibraryCounts) =>
  formatList([
    ...(projects > 0 ? [formatProjectCount(projects)] : []),
    ...(prompts > 0 ? [formatPromptCount(prompts)] : []),
    ...(memories > 0 ? [formatMemoryCount(memories)] : []),
    ...(hasInstructions ? [t`custom instructions`] : []),
  ])
