import { t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'
import { announce } from '../../../lib/announce.ts'
import { findComposer, insertIntoComposer } from '../../../lib/composer-text.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { findSeparator } from './find-separator.ts'

/** Adds a text at the caret, or in place of what is selected, with spaces around it where words would touch, and says so to screen readers. */
export function addToMessage(text: string): void {
  const composer = findComposer()
  if (!composer) return
  const { value, selectionStart: from, selectionEnd: to } = composer
  const before = findSeparator(value.slice(0, from), text)
  const after = findSeparator(text, value.slice(to))
  insertIntoComposer(composer, `${before}${text}${after}`, from, to)
  announce(t`What you said is in the message field.`)
}

/** Adds a text at the end of a message that is not shown, and says so. @param key of its draft */
export function addToDraft(key: string, text: string): void {
  const before = readDraft(key).trimEnd()
  saveDraft(key, 'text', before + findSeparator(before, text) + text)
  showToast('success', t`What you said is in the message field of its conversation.`)
}
