import { t } from '@lingui/core/macro'
import type { UntrustedSource } from '#shared/contracts/runs.ts'
import { formatList } from '../../../lib/locale.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'

// approval-card

/** Whose text the model has read, in words. */
const untrustedText = ({ kind, names }: UntrustedSource) => {
  const list = formatList(names.map(revealHiddenCharacters).map((name) => t`“${name}”`))
  switch (kind) {
    case 'file':
      return t`files (${list})`
    case 'tool':
      return t`results of ${list}`
    case 'web':
      return t`web pages`
    case 'server':
      return t`what servers call themselves and their tools (${list})`
    case 'import':
      return t`imported messages`
    case 'assistant':
      return t`the assistant of somebody else (${list})`
    case 'summary':
      return t`earlier messages, which may quote others`
  }
}

export const memoryHint = (assistantName: string, sources: readonly UntrustedSource[]) => {
  const parts = sources.map(untrustedText).join('; ')
  return parts === ''
    ? t`${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
    : t`${assistantName} has read text here that is not yours: ${parts}. So ${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
}
export const othersAssistantHint = (assistantName: string, assistant: string) =>
  t`“${{ assistant }}”, an assistant of somebody else, may have led to this. ${assistantName} does it only when you approve it. This is exactly what will be sent:`
export const alwaysAllowHint = t`Run this tool without asking from now on. You can change this in Settings.`

// approval-cards

// mail-fields

// reconnect-card
