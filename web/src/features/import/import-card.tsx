import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useRef, useState, type DragEvent } from 'react'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useLast } from '../../lib/use-last.ts'
import * as commonTexts from '../../components/texts.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useStore } from '../../lib/create-store.ts'
import { formatDate } from '../../lib/dates.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { importsQuery } from './import-queries.ts'
import { createImportService, type ImportState, type UploadFile } from './import-service.ts'
import type { LeftOut } from './left-out.ts'
import * as texts from './texts.ts'

interface UndoTarget {
  id: string
  conversations: number
}

/** Imports exports of other assistants, shows what became of them, and undoes imports. */
export function ImportCard({ uploadFile }: { uploadFile: UploadFile }) {
  const service = useUserResource(createImportService, uploadFile)
  const state = useStore(service.store)
  const [undoTarget, setUndoTarget] = useState<UndoTarget>()
  const lastTarget = useLast(undoTarget)

  const undo = async ({ id }: UndoTarget) => {
    try {
      await service.undo(id)
      showToast('success', texts.undone)
    } catch (error) {
      showToast('error', texts.undoFailed, { description: errorMessage(error) })
    }
  }
  return (
    <SettingsCard title={texts.importConversations} subtitle={texts.importHint}>
      <CardSection>
        {state.phase === 'running' ? (
          <Running state={state} onCancel={service.cancel} />
        ) : state.phase === 'ended' ? (
          <Result state={state} onReset={service.reset} onUndo={setUndoTarget} />
        ) : (
          <FileChoice isDisabled={state.phase === 'undoing'} onChoose={(file) => void service.start(file)} />
        )}
      </CardSection>
      <Imports state={state} onUndo={setUndoTarget} />
      {lastTarget && (
        <ActionDialog
          open={undoTarget !== undefined}
          onClose={() => setUndoTarget(undefined)}
          title={texts.undoTitle}
          confirmLabel={texts.undoImport}
          isDestructive
          // it takes long, and goes on while other pages are shown
          onConfirm={async () => void undo(lastTarget)}
        >
          <p className="text-ink-muted">{texts.undoHint(lastTarget.conversations)}</p>
        </ActionDialog>
      )}
    </SettingsCard>
  )
}

function FileChoice({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const choose = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !isDisabled) onChoose(file)
  }
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(true)
  }
  return (
    <div
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        choose(event.dataTransfer.files)
      }}
      className={clsx(
        'flex flex-col items-center gap-2 rounded-md border border-dashed px-4 py-6 text-center',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <input
        ref={input}
        type="file"
        accept=".zip,.json,application/zip,application/json"
        aria-label={texts.exportFile}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          choose(target.files)
          // the same file can be chosen again
          target.value = ''
        }}
      />
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        {texts.chooseFile}
      </Button>
      <p className="text-sm text-ink-muted max-sm:hidden">{texts.dropHint}</p>
    </div>
  )
}

function Running({
  state: { share, isWaiting, counts },
  onCancel,
}: {
  state: Extract<ImportState, { phase: 'running' }>
  onCancel: () => void
}) {
  const percent = Math.round(share * 100)
  return (
    <div className="grid gap-3">
      <div
        role="progressbar"
        aria-label={texts.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-surface-hover"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-(--duration-fast)"
          style={{ width: `${Math.max(2, percent)}%` }}
        />
      </div>
      <div className="flex items-center justify-between gap-4 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0">
          <p>{texts.importedCounts(counts.imported, counts.messages, counts.files)}</p>
          <p role="status" className="text-sm text-ink-muted">
            {isWaiting ? texts.waiting : texts.keepOpen}
          </p>
        </div>
        <Button onClick={onCancel}>{commonTexts.cancel}</Button>
      </div>
    </div>
  )
}

function Result({
  state: { importId, isCancelled, problem, counts, leftOut },
  onReset,
  onUndo,
}: {
  state: Extract<ImportState, { phase: 'ended' }>
  onReset: () => void
  onUndo: (target: UndoTarget) => void
}) {
  const isUnread = problem !== undefined && counts.imported + counts.existing === 0
  return (
    <div className="grid gap-3">
      {problem !== undefined && (
        <Callout variant="danger">{isUnread ? problem : `${texts.stopped} ${problem}`}</Callout>
      )}
      {!isUnread && (
        <div role="status">
          <h3 className="font-medium">{isCancelled ? texts.cancelled : texts.done}</h3>
          <p>{texts.importedCounts(counts.imported, counts.messages, counts.files)}</p>
          {counts.existing > 0 && <p className="text-ink-muted">{texts.presentAlready(counts.existing)}</p>}
        </div>
      )}
      {!isUnread && <LeftOutList leftOut={leftOut} />}
      <div className="flex gap-2 max-sm:flex-col">
        <Button onClick={onReset}>{texts.importAnother}</Button>
        {counts.imported > 0 && (
          <Button variant="danger" onClick={() => onUndo({ id: importId, conversations: counts.imported })}>
            {texts.undoImport}
          </Button>
        )}
      </div>
    </div>
  )
}

function LeftOutList({ leftOut }: { leftOut: LeftOut }) {
  const kinds = Object.entries(leftOut)
  if (kinds.length === 0) return null
  return (
    <div>
      <h3 className="font-medium">{texts.leftOut}</h3>
      <ul
        aria-label={texts.leftOut}
        className="mt-1 list-disc ps-5 text-sm [overflow-wrap:anywhere] text-ink-muted"
      >
        {kinds.map(([kind, count]) => (
          <li key={kind}>{texts.describeLeftOut(kind, count)}</li>
        ))}
      </ul>
    </div>
  )
}

/** The imports that can be undone, without the one whose result is shown. */
function Imports({ state, onUndo }: { state: ImportState; onUndo: (target: UndoTarget) => void }) {
  const { data: imports = [], error, refetch } = useQuery(importsQuery)
  if (error)
    return (
      <CardSection>
        <Callout variant="danger" action={{ label: commonTexts.tryAgain, onClick: () => void refetch() }}>
          {errorMessage(error)}
        </Callout>
      </CardSection>
    )
  const others = imports.filter(({ id }) => state.phase !== 'ended' || id !== state.importId)
  if (state.phase === 'running' || others.length === 0) return null
  return (
    <CardSection>
      <ul aria-label={texts.earlierImports} className="grid gap-3">
        {others.map(({ id, source, imported_at, conversations }) => {
          const description = texts.importDetails(source, formatDate(new Date(imported_at)), conversations)
          const isUndoing = state.phase === 'undoing' && state.importId === id
          return (
            <li
              key={id}
              className="flex items-center justify-between gap-4 max-sm:flex-col max-sm:items-stretch max-sm:gap-2"
            >
              <span>{description}</span>
              <Button
                size="sm"
                variant="danger"
                busy={isUndoing}
                disabled={state.phase === 'undoing' && !isUndoing}
                aria-label={texts.undoLabel(description)}
                onClick={() => onUndo({ id, conversations })}
              >
                {isUndoing ? texts.undoing : texts.undoImport}
              </Button>
            </li>
          )
        })}
      </ul>
    </CardSection>
  )
}
