import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useEscape } from '../../../lib/input/escape.ts'
import { pasteMarkdown } from '../../../lib/input/composer-text.ts'
import { isSendKey, isTouchOnly } from '../../../lib/input/keys.ts'
import { fitHeight } from '../composer/fit-height.ts'
import { refuseTooLong, trimMessage } from '../trim-message.ts'
import { consumeFocusRequest } from './edit-message.ts'
import { bind } from '../../../lib/input/text-input.ts'
import { useInput, type Input } from '../../../lib/input/use-input.ts'

/** About twelve lines; a longer text scrolls. */
const maxHeightPx = 320

/** Edits a user message in place: its text, and which of its files it keeps. Escape cancels, Enter sends as in the composer. */
export function MessageEditor({
  input: draft,
  inputKey,
  files,
  isReplying,
  becomesVersion,
  onSend,
}: {
  input: Input<string>
  /** the key under which the text is stored */
  inputKey: string
  /** those that are still there */
  files: readonly Attachment[]
  /** whether a reply is pending, so that nothing can be sent */
  isReplying: boolean
  /** whether the current message stays available as an earlier version */
  becomesVersion: boolean
  /** @returns whether the message was sent */
  onSend: (text: string, files: readonly Attachment[]) => boolean
}) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const length = trimMessage(text).length
  /** the ids of removed files, separated by spaces: an input has a text */
  const removed = useInput(`${inputKey}/files`, { onLeave: 'keep' })
  const removedIds = removed.value.split(' ')
  const keptFiles = files.filter((file) => !removedIds.includes(file.id))
  const maySend = !isReplying && (length > 0 || keptFiles.length > 0)
  const close = () => {
    draft.reset()
    removed.reset()
  }
  const removeFile = (file: Attachment) => {
    removed.change(`${removed.value} ${file.id}`)
    // the button that was pressed is gone
    field.current?.focus({ preventScroll: true })
  }
  const send = () => {
    if (!maySend || refuseTooLong(text)) return
    if (onSend(text, keptFiles)) close()
  }

  useLayoutEffect(() => {
    if (field.current && !CSS.supports('field-sizing', 'content'))
      fitHeight(field.current, { minPx: 0, maxPx: maxHeightPx })
  }, [text])
  useEffect(() => {
    const node = field.current
    if (!consumeFocusRequest(inputKey)) return
    node?.focus()
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [inputKey])

  useEscape('field', close, (target) => target === field.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="w-full max-w-[36rem] rounded-lg bg-accent-soft p-2 outline-accent focus-within:outline-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {keptFiles.length > 0 && <KeptFiles files={keptFiles} onRemove={removeFile} />}
      <label htmlFor={id} className="sr-only">
        {t`Edit your message`}
      </label>
      <textarea
        onPaste={pasteMarkdown}
        ref={field}
        id={id}
        rows={1}
        dir="auto"
        {...bind(draft)}
        enterKeyHint={isTouchOnly() ? 'enter' : 'send'}
        onKeyDown={onKeyDown}
        style={{ maxHeight: maxHeightPx }}
        className="block w-full resize-none field-sizing-content bg-transparent px-2 py-1 text-base scroll-quiet outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
        <span className="flex-1 basis-56 ps-2 text-xs text-ink-muted">
          {becomesVersion &&
            t`The current message and the replies after it stay available as an earlier version.`}
        </span>
        <span className="flex gap-2">
          <Button variant="ghost" size="sm" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="primary" size="sm" disabled={!maySend}>
            {t`Send`}
          </Button>
        </span>
      </div>
    </form>
  )
}

function KeptFiles({
  files,
  onRemove,
}: {
  files: readonly Attachment[]
  onRemove: (file: Attachment) => void
}) {
  return (
    <ul aria-label={t`Attached files`} className="flex flex-wrap gap-2 pb-1">
      {files.map((file) => (
        <li
          key={file.id}
          className="flex max-w-full min-w-0 items-center gap-1.5 rounded-md bg-surface-raised ps-2 text-ui"
        >
          <span className="truncate" title={file.name} dir="auto">
            {file.name}
          </span>
          <IconButton
            size="sm"
            label={t`Remove ${file.name}`}
            icon={<X size={16} />}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  )
}
