import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useRef, useState, type DragEvent } from 'react'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useLast } from '../../lib/use-last.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useStore } from '../../lib/create-store.ts'
import { useRight } from '../../lib/rights.ts'
import { useBrand } from '../../lib/config.ts'
import { formatDate } from '../../lib/dates.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { importsQuery } from './import-queries.ts'
import { createImportService, type ImportState, type UploadFile } from './import-service.ts'
import { listDropped, toChosenFiles, type ChosenFile } from './chosen-files.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'
import type { LibraryCounts } from './send-library.ts'
import { describeLeftOut } from './describe-left-out.ts'
import { formatList } from '../../lib/locale.ts'

function importDetails(name: string, date: string, conversations: number) {
  return plural(conversations, {
    one: `${name}, ${date}: # conversation`,
    other: `${name}, ${date}: # conversations`,
  })
}
const conversationCount = (count: number) =>
  plural(count, { one: '# conversation', other: `# conversations` })
const messageCount = (count: number) => plural(count, { one: '# message', other: `# messages` })
const fileCount = (count: number) => plural(count, { one: '# file', other: `# files` })
const importedCounts = (conversations: number, messages: number, files: number) =>
  formatList([conversationCount(conversations), messageCount(messages), fileCount(files)])
const projectCount = (count: number) => plural(count, { one: '# project', other: `# projects` })
const promptCount = (prompts: number) => plural(prompts, { one: '# saved prompt', other: `# saved prompts` })
const memoryCount = (count: number) => plural(count, { one: '# memory', other: `# memories` })
/** Of those that there are; '' if there are none. */
const libraryCounts = ({ projects, prompts, memories, hasInstructions }: LibraryCounts) =>
  formatList([
    ...(projects > 0 ? [projectCount(projects)] : []),
    ...(prompts > 0 ? [promptCount(prompts)] : []),
    ...(memories > 0 ? [memoryCount(memories)] : []),
    ...(hasInstructions ? [t`custom instructions`] : []),
  ])

/** What to do about something that was left out, if anything. */
const nextSteps: Partial<Record<LeftOutKind, string>> = {
  missingFiles: t`Archives of one export belong together: choose all of them, and not a file of one, to get the files, too.`,
  refusedFiles: t`Make room under “Your files”, or come back tomorrow, undo this import and choose the archive again.`,
  failedConversations: t`Choose the same files again later.`,
  busyConversations: t`Choose the same files again when the reply is there.`,
  projectPlaces: t`Create a project, and move the conversations into it from their menus.`,
  sourceMemories: t`Open memories.json with an editor, and copy what matters to Settings, Memory.`,
}

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
  const mayUpload = useRight('upload')

  const undo = async ({ id }: UndoTarget) => {
    try {
      await service.undo(id)
      showToast('success', t`Import undone`)
    } catch (error) {
      showToast('error', t`The import could not be undone completely`, { description: errorMessage(error) })
    }
  }
  return (
    <SettingsCard
      title={t`Import conversations`}
      subtitle={t`Bring your history from ChatGPT, Claude, LibreChat, Open WebUI or another ${{ brand: brandName }}: choose the files that you get there with “Export data” or “Export”, all of them together.`}
    >
      <CardSection>
        {state.phase === 'running' ? (
          <Running state={state} onCancel={service.cancel} />
        ) : state.phase === 'ended' ? (
          <Result state={state} onReset={service.reset} onUndo={setUndoTarget} />
        ) : (
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
      <Imports state={state} onUndo={setUndoTarget} />
      {lastTarget && (
        <ActionDialog
          open={undoTarget !== undefined}
          onClose={() => setUndoTarget(undefined)}
          title={t`Undo this import?`}
          confirmLabel={t`Undo import`}
          isDestructive
          // it takes long, and goes on while other pages are shown
          onConfirm={async () => void undo(lastTarget)}
        >
          <p className="text-ink-muted">
            {plural(lastTarget.conversations, {
              one: '# conversation will be deleted, with its files and with what you added to it since.',
              other:
                '# conversations will be deleted, with their files and with what you added to them since.',
            })}
          </p>
          <p className="mt-2 text-ink-muted">{t`Projects, prompts and memories stay, and so do messages that were added to conversations of an earlier import.`}</p>
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
        aria-label={t`Progress of the import`}
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
          <p>{importedCounts(counts.imported, counts.messages, counts.files)}</p>
          <p role="status" className="text-sm text-ink-muted">
            {isWaiting
              ? t`Waiting for the service. The import continues by itself.`
              : t`Keep this tab open. You can go on using it, and a reload goes on from here.`}
          </p>
        </div>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
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
  const library = libraryCounts(counts)
  const isUnread =
    problem !== undefined && counts.imported + counts.existing + counts.extended === 0 && library === ''
  return (
    <div className="grid gap-3">
      {problem !== undefined && (
        <Callout variant="danger">{isUnread ? problem : `${t`The import stopped.`} ${problem}`}</Callout>
      )}
      {!isUnread && (
        <div role="status">
          <h3 className="font-medium">{isCancelled ? t`The import was cancelled.` : t`Import finished`}</h3>
          <p>{importedCounts(counts.imported, counts.messages, counts.files)}</p>
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
            <p className="text-ink-muted">{t`You find them in your conversations, by their own dates, and with the search.`}</p>
          )}
        </div>
      )}
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

function LeftOutList({ leftOut, canUndo }: { leftOut: LeftOut; canUndo: boolean }) {
  const kinds = Object.entries(leftOut) as [LeftOutKind, NonNullable<LeftOut[LeftOutKind]>][]
  const mayUpload = useRight('upload')
  if (kinds.length === 0) return null
  const nextStep = (kind: LeftOutKind) =>
    // no room that is made helps, or there is no import to undo
    kind === 'refusedFiles' && !(mayUpload && canUndo) ? undefined : nextSteps[kind]
  return (
    <div>
      <h3 className="font-medium">{t`Left out`}</h3>
      <ul aria-label={t`Left out`} className="mt-1 list-disc ps-5 text-sm wrap-anywhere text-ink-muted">
        {kinds.map(([kind, found]) => (
          <li key={kind}>
            {describeLeftOut(kind, found)}
            {nextStep(kind) !== undefined && <p className="text-ink">{nextStep(kind)}</p>}
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
        <Callout variant="danger" action={{ label: t`Try again`, onClick: () => void refetch() }}>
          {errorMessage(error)}
        </Callout>
      </CardSection>
    )
  const otherImports = imports.filter(({ id }) => state.phase !== 'ended' || id !== state.importId)
  if (state.phase === 'running' || otherImports.length === 0) return null
  return (
    <CardSection>
      <ul aria-label={t`Imports`} className="grid gap-3">
        {otherImports.map(({ id, source, imported_at, conversations }) => {
          const description = importDetails(names[source], formatDate(new Date(imported_at)), conversations)
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
