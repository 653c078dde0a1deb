import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { addMemory, deleteMemory, memoriesQuery } from '../../../lib/queries/memory-queries.ts'
import type { MemoryChange } from '../calls/memory-calls.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

const lineClass =
  'flex max-w-full items-start gap-2 rounded-sm bg-surface-hover px-2.5 py-1.5 text-sm text-ink-muted'

/** Says what a reply has remembered or forgotten, with Undo as long as that is still so. */
export function MemoryLine({ change: { kind, id, text } }: { change: MemoryChange }) {
  if (id !== undefined) return <UndoableLine kind={kind} id={id} text={text} />
  return (
    <p className={lineClass}>
      <MemoryText label={t`Already remembered:`} text={revealHiddenCharacters(text)} />
    </p>
  )
}

function MemoryText({ label, text }: { label: string; text: string }) {
  return (
    <>
      <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 wrap-anywhere">
        {label} <bdi>{text}</bdi>
      </span>
    </>
  )
}

function UndoableLine({ kind, id, text }: MemoryChange & { id: string }) {
  const queryClient = useQueryClient()
  const isForgotten = kind === 'forgotten'
  const { storedMemory, isUndone } = useStoredMemory(id, { isForgotten })
  const undo = useActionMutation(`undo memory ${id}`, {
    run: async () => {
      await (isForgotten ? addMemory(queryClient, { id, text }) : deleteMemory(queryClient, id))
    },
    onSuccess: () => announce(isForgotten ? t`Memory restored` : t`Memory deleted`),
    onError: (error, _input, { notify }) => notify('error', t`The memory was not changed`, { error }),
  })
  const shownText = revealHiddenCharacters(storedMemory?.text ?? text)
  return (
    <p className={lineClass}>
      <MemoryText label={formatLabel(kind, { isUndone: isUndone === true })} text={shownText} />
      {isUndone === false && (
        <button
          type="button"
          aria-disabled={undo.isBusy || undefined}
          aria-label={t`Undo: ${{ text: shownText }}`}
          onClick={() => undo.start()}
          className="link shrink-0 font-medium max-sm:-my-1.5 max-sm:py-1.5 print:hidden"
        >
          {undo.isBusy ? <Spinner /> : t`Undo`}
        </button>
      )}
    </p>
  )
}

/**
 * The memory that a reply has changed, as it is stored now.
 * @returns `isUndone`: whether the change was taken back, here or elsewhere; undefined until that is known
 */
function useStoredMemory(id: string, { isForgotten }: { isForgotten: boolean }) {
  const queryClient = useQueryClient()
  const { data: memories, isFetching } = useQuery(memoriesQuery)
  // a list that is already being fetched may be older than the reply
  const [isOutdated, setIsOutdated] = useState(
    () => queryClient.isFetching({ queryKey: memoriesQuery.queryKey }) > 0,
  )
  useEffect(() => {
    if (isOutdated) void queryClient.invalidateQueries(memoriesQuery).then(() => setIsOutdated(false))
  }, [isOutdated, queryClient])
  const storedMemory = memories?.find((one) => one.id === id)
  const isUndone = (storedMemory !== undefined) === isForgotten
  // the cached list may be older than the reply: until it is fetched again, it counts only if it shows the change
  const isListCurrent = memories !== undefined && ((!isFetching && !isOutdated) || !isUndone)
  return { storedMemory, isUndone: isListCurrent ? isUndone : undefined }
}

function formatLabel(kind: MemoryChange['kind'], { isUndone }: { isUndone: boolean }): string {
  if (kind === 'forgotten') return isUndone ? t`Forgotten, then restored:` : t`Forgotten:`
  return isUndone ? t`Remembered, then deleted:` : t`Remembered:`
}
