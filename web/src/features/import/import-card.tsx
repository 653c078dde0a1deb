import { t, plural } from '@lingui/core/macro'
import { useState, useRef, type DragEvent, useId } from 'react'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { useRight } from '../../lib/account/account-queries.ts'
import { useUserResource } from '../../lib/actions/user-resources.ts'
import type { UploadFile } from './file-uploader.ts'
import { createImportService, type ImportState } from './import-service.ts'
import { UndoImportDialog, type UndoTarget } from './undo-import-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Status } from '../../components/ui/status.tsx'
import { formatImportedCounts, formatLibraryCounts } from './format-counts.ts'
import type { ImportStatus } from './run-import.ts'
import clsx from 'clsx'
import { listDropped, toChosenFiles, type ChosenFile } from './chosen-files.ts'
import { useQuery } from '@tanstack/react-query'
import { getOwn } from '#shared/get-own.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { importsQuery } from './import-queries.ts'
import type { ImportCounts } from './import-counts.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'
import { describeEnd } from './describe-end.ts'
import { describeLeftOut } from './describe-left-out.ts'

/** Imports exports of other assistants, shows what became of them, and undoes imports. */
export function ImportCard({ userId, uploadFile }: { userId: string; uploadFile: UploadFile }) {
  const service = useUserResource(createImportService, { userId, uploadFile })
  const state = useStore(service.store)
  const { brandName } = useBrand()
  const [undoTarget, setUndoTarget] = useState<UndoTarget>()
  const mayUpload = useRight('upload')

  return (
    <SettingsCard
      title={t`Import conversations`}
      subtitle={t`Bring your history from ChatGPT, Claude, LibreChat, Open WebUI or another ${{ brand: brandName }}: choose the files that you get there with “Export data” or “Export”, all of them together.`}
    >
      <CardSection>
        {state.phase === 'running' && <ImportProgressBar status={state} onCancel={service.cancel} />}
        {state.phase === 'ended' && (
          <ImportResult state={state} onReset={service.reset} onUndo={setUndoTarget} />
        )}
        {(state.phase === 'idle' || state.phase === 'undoing') && (
          <>
            {!mayUpload && (
              <div className="mb-3">
                <Callout variant="info">{t`Your group may not add files, so conversations are imported without theirs.`}</Callout>
              </div>
            )}
            <FileChoice
              isDisabled={state.phase === 'undoing'}
              onChoose={(files) => void service.start(files)}
            />
          </>
        )}
      </CardSection>
      <EarlierImports state={state} onUndo={setUndoTarget} />
      <UndoImportDialog target={undoTarget} onClose={() => setUndoTarget(undefined)} onUndo={service.undo} />
    </SettingsCard>
  )
}

/** Less would not be seen as a beginning. */
const minShownPercent = 2

/** How far a running import is. */
function ImportProgressBar({
  status: { share, isWaiting, counts },
  onCancel,
}: {
  status: ImportStatus
  onCancel: () => void
}) {
  const percent = Math.round(share * 100)
  return (
    <div className="grid gap-3">
      <div
        role="progressbar"
        aria-label={t`Progress of the import`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-surface-hover"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-(--duration-fast)"
          style={{ width: `${Math.max(minShownPercent, percent)}%` }}
        />
      </div>
      <div className="flex items-center justify-between gap-4 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0">
          <p>{formatImportedCounts(counts.imported, counts.messages, counts.files)}</p>
          <Status className="text-sm text-ink-muted">
            {isWaiting
              ? t`Waiting for the service. The import continues by itself.`
              : t`Keep this tab open. You can go on using it, and a reload goes on from here.`}
          </Status>
        </div>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </div>
  )
}

/** Takes the files of an export: by a button, or dropped. */
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
    // also while it is disabled: the browser would show the file in place of this page
    event.preventDefault()
    setIsOver(!isDisabled)
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
        aria-label={t`Files of an export`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          choose(toChosenFiles(target.files ?? []))
          // the same file can be chosen again
          target.value = ''
        }}
      />
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        {t`Choose files`}
      </Button>
      <p className="text-sm text-ink-muted max-sm:hidden">{t`or drop them here, or their folder`}</p>
    </div>
  )
}

function describeImport(name: string, date: string, conversations: number) {
  return plural(conversations, {
    one: `${name}, ${date}: # conversation`,
    other: `${name}, ${date}: # conversations`,
  })
}

/** The imports that can be undone, without the one whose result is shown with a button for that; nothing while one is running. */
function EarlierImports({ state, onUndo }: { state: ImportState; onUndo: (target: UndoTarget) => void }) {
  const { brandName } = useBrand()
  const { data: imports = [], error, isLoadingError, refetch } = useQuery(importsQuery)
  const names = {
    chatgpt: 'ChatGPT',
    claude: 'Claude',
    librechat: 'LibreChat',
    openwebui: 'Open WebUI',
    juno: brandName,
  }
  if (isLoadingError)
    return (
      <CardSection>
        <Callout
          variant="danger"
          error={error}
          action={{ label: t`Try again`, onClick: () => void refetch() }}
        >
          {getErrorMessage(error)}
        </Callout>
      </CardSection>
    )
  const shownId = state.phase === 'ended' && state.counts.imported > 0 ? state.importId : undefined
  const otherImports = imports.filter(({ id }) => id !== shownId)
  if (state.phase === 'running' || otherImports.length === 0) return null
  return (
    <CardSection>
      <ul aria-label={t`Imports`} className="grid gap-3">
        {otherImports.map(({ id, source, imported_at, conversations }) => {
          // a newer service may know more sources
          const name = getOwn(names, source) ?? source
          const description = describeImport(name, formatDate(new Date(imported_at)), conversations)
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
                aria-label={t`Undo import: ${description}`}
                onClick={() => onUndo({ id, conversations })}
              >
                {isUndoing ? t`Undoing…` : t`Undo import`}
              </Button>
            </li>
          )
        })}
      </ul>
    </CardSection>
  )
}

/** What to do about something that was left out, if anything. */
const nextSteps: Partial<Record<LeftOutKind, string>> = {
  missingFiles: t`Archives of one export belong together: choose all of them, and not a file of one, to get the files, too.`,
  refusedFiles: t`Make room under “Your files”, or come back tomorrow, undo this import and choose the archive again.`,
  failedConversations: t`Choose the same files again later.`,
  busyConversations: t`Choose the same files again when the reply is there.`,
  projectPlaces: t`Create a project, and move the conversations into it from their menus.`,
  sourceMemories: t`Open memories.json with an editor, and copy what matters to Settings, Memory.`,
}

const isEmpty = (counts: ImportCounts) =>
  counts.imported + counts.existing + counts.extended === 0 && formatLibraryCounts(counts) === ''

/** Shows what an import has brought, what it left out, and what to do about it. */
function ImportResult({
  state: { importId, isCancelled, problem, cause, counts, leftOut },
  onReset,
  onUndo,
}: {
  state: Extract<ImportState, { phase: 'ended' }>
  onReset: () => void
  onUndo: (target: UndoTarget) => void
}) {
  const isUnread = problem !== undefined && isEmpty(counts)
  return (
    <div className="grid gap-3">
      {problem !== undefined && (
        <Callout variant="danger" error={cause}>
          {problem}
        </Callout>
      )}
      {!isUnread && <ImportSummary end={describeEnd(isCancelled, problem)} counts={counts} />}
      {!isUnread && <LeftOutList leftOut={leftOut} canUndo={counts.imported > 0} />}
      {!isUnread && (isCancelled || problem !== undefined) && (
        <p className="text-sm">{t`Choose the same files again to go on: what is here already is not imported twice.`}</p>
      )}
      <div className="flex flex-wrap gap-2 max-sm:flex-col">
        <Button onClick={onReset}>{t`Import another file`}</Button>
        {counts.imported > 0 && (
          <Button variant="danger" onClick={() => onUndo({ id: importId, conversations: counts.imported })}>
            {t`Undo import`}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What an import has brought, and where to find it. */
function ImportSummary({ end, counts }: { end: string; counts: ImportCounts }) {
  const library = formatLibraryCounts(counts)
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-medium">
        {end}
      </h3>
      <p>{formatImportedCounts(counts.imported, counts.messages, counts.files)}</p>
      {library !== '' && <p>{library}</p>}
      {(counts.memories > 0 || counts.hasInstructions) && (
        <p>{t`All replies follow these instructions and memories: look at them further down, if the file is not your own.`}</p>
      )}
      {counts.extended > 0 && (
        <p>
          {plural(
            { count: counts.extended },
            {
              one: '# conversation of an earlier import got its new messages.',
              other: `# conversations of an earlier import got their new messages.`,
            },
          )}
        </p>
      )}
      {counts.existing > 0 && (
        <p className="text-ink-muted">
          {plural(
            { count: counts.existing },
            {
              one: '# conversation is here already and stays as it is.',
              other: `# conversations are here already and stay as they are.`,
            },
          )}
        </p>
      )}
      {counts.imported + counts.extended > 0 && (
        <p className="text-ink-muted">{t`You find them in your conversations by their own dates, archived ones under “Archived”, and all with the search.`}</p>
      )}
    </section>
  )
}

function LeftOutList({ leftOut, canUndo }: { leftOut: LeftOut; canUndo: boolean }) {
  // as `LeftOut` has them: none is undefined
  const kinds = Object.entries(leftOut) as [LeftOutKind, NonNullable<LeftOut[LeftOutKind]>][]
  const mayUpload = useRight('upload')
  if (kinds.length === 0) return null
  const findNextStep = (kind: LeftOutKind) =>
    // making room helps only who may add files, and only after this import was undone
    kind === 'refusedFiles' && !(mayUpload && canUndo) ? undefined : nextSteps[kind]
  return (
    <div>
      <h3 className="font-medium">{t`Left out`}</h3>
      <ul aria-label={t`Left out`} className="mt-1 list-disc ps-5 text-sm wrap-anywhere text-ink-muted">
        {kinds.map(([kind, found]) => {
          const nextStep = findNextStep(kind)
          return (
            <li key={kind}>
              {describeLeftOut(kind, found)}
              {nextStep !== undefined && <p className="text-ink">{nextStep}</p>}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
