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
import { useBrand } from '../../lib/config.ts'
import { formatDate } from '../../lib/dates.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { importsQuery } from './import-queries.ts'
import { createImportService, type ImportState, type UploadFile } from './import-service.ts'
import { listDropped, toChosenFiles, type ChosenFile } from './chosen-files.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'
import * as texts from './texts.ts'

interface UndoTarget {
  id: string
  conversations: number
}

/** Imports exports of other assistants, shows what became of them, and undoes imports. */
export function ImportCard({ userId, uploadFile }: { userId: string; uploadFile: UploadFile }) {
  const service = useUserResource(createImportService, { userId, uploadFile })
  const state = useStore(service.store)
  const { brandName } = useBrand()
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
    <SettingsCard title={texts.importConversations} subtitle={texts.importHint(brandName)}>
      <CardSection>
        {state.phase === 'running' ? (
          <Running state={state} onCancel={service.cancel} />
        ) : state.phase === 'ended' ? (
          <Result state={state} onReset={service.reset} onUndo={setUndoTarget} />
        ) : (
          <FileChoice
            isDisabled={state.phase === 'undoing'}
            onChoose={(files) => void service.start(files)}
          />
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
          <p className="mt-2 text-ink-muted">{texts.undoKeeps}</p>
        </ActionDialog>
      )}
    </SettingsCard>
  )
}

function FileChoice({
  isDisabled,
  onChoose,
}: {
  isDisabled: boolean
  onChoose: (files: readonly ChosenFile[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const choose = (files: readonly ChosenFile[]) => {
    if (files.length > 0 && !isDisabled) onChoose(files)
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
        void listDropped(event.dataTransfer).then(choose)
      }}
      className={clsx(
        'flex flex-col items-center gap-2 rounded-md border border-dashed px-4 py-6 text-center',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <input
        ref={input}
        type="file"
        multiple
        accept=".zip,.json,application/zip,application/json"
        aria-label={texts.exportFile}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          choose(toChosenFiles(target.files ?? []))
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
  const library = texts.libraryCounts(counts)
  const isUnread =
    problem !== undefined && counts.imported + counts.existing + counts.extended === 0 && library === ''
  return (
    <div className="grid gap-3">
      {problem !== undefined && (
        <Callout variant="danger">{isUnread ? problem : `${texts.stopped} ${problem}`}</Callout>
      )}
      {!isUnread && (
        <div role="status">
          <h3 className="font-medium">{isCancelled ? texts.cancelled : texts.done}</h3>
          <p>{texts.importedCounts(counts.imported, counts.messages, counts.files)}</p>
          {library !== '' && <p>{library}</p>}
          {(counts.memories > 0 || counts.hasInstructions) && <p>{texts.lookAtThem}</p>}
          {counts.extended > 0 && <p>{texts.extendedCount(counts.extended)}</p>}
          {counts.existing > 0 && <p className="text-ink-muted">{texts.presentAlready(counts.existing)}</p>}
          {counts.imported + counts.extended > 0 && <p className="text-ink-muted">{texts.whereToFind}</p>}
        </div>
      )}
      {!isUnread && <LeftOutList leftOut={leftOut} />}
      {!isUnread && (isCancelled || problem !== undefined) && <p className="text-sm">{texts.goOn}</p>}
      <div className="flex flex-wrap gap-2 max-sm:flex-col">
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
  const kinds = Object.entries(leftOut) as [LeftOutKind, NonNullable<LeftOut[LeftOutKind]>][]
  if (kinds.length === 0) return null
  return (
    <div>
      <h3 className="font-medium">{texts.leftOut}</h3>
      <ul
        aria-label={texts.leftOut}
        className="mt-1 list-disc ps-5 text-sm [overflow-wrap:anywhere] text-ink-muted"
      >
        {kinds.map(([kind, found]) => (
          <li key={kind}>
            {texts.describeLeftOut(kind, found)}
            {texts.nextSteps[kind] !== undefined && <p className="text-ink">{texts.nextSteps[kind]}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The imports that can be undone, without the one whose result is shown. */
function Imports({ state, onUndo }: { state: ImportState; onUndo: (target: UndoTarget) => void }) {
  const { brandName } = useBrand()
  const { data: imports = [], error, refetch } = useQuery(importsQuery)
  const names = {
    chatgpt: 'ChatGPT',
    claude: 'Claude',
    librechat: 'LibreChat',
    openwebui: 'Open WebUI',
    juno: brandName,
  }
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
          const description = texts.importDetails(
            names[source],
            formatDate(new Date(imported_at)),
            conversations,
          )
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
