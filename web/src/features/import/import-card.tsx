import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useRef, useState, type DragEvent } from 'react'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useLast } from '../../lib/use-last.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useUserToast } from '../../components/use-user-toast.ts'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { useStore } from '../../lib/create-store.ts'
import { useRight } from '../../lib/rights.ts'
import { useBrand } from '../../lib/config.ts'
import { formatDate } from '../../lib/dates.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import { importsQuery } from './import-queries.ts'
import { createImportService, type ImportState, type UploadFile } from './import-service.ts'
import { listDropped, toChosenFiles, type ChosenFile } from './chosen-files.ts'
import { formatImportedCounts, ImportResult, type UndoTarget } from './import-result.tsx'

function describeImport(name: string, date: string, conversations: number) {
  return plural(conversations, {
    one: `${name}, ${date}: # conversation`,
    other: `${name}, ${date}: # conversations`,
  })
}

/** Imports exports of other assistants, shows what became of them, and undoes imports. */
export function ImportCard({ userId, uploadFile }: { userId: string; uploadFile: UploadFile }) {
  const service = useUserResource(createImportService, { userId, uploadFile })
  const state = useStore(service.store)
  const showToast = useUserToast()
  const { brandName } = useBrand()
  const [undoTarget, setUndoTarget] = useState<UndoTarget>()
  const lastTarget = useLast(undoTarget)
  const mayUpload = useRight('upload')

  const undo = async ({ id }: UndoTarget) => {
    try {
      await service.undo(id)
      showToast('success', t`Import undone`)
    } catch (error) {
      showToast('error', t`The import could not be undone completely`, {
        description: getErrorMessage(error),
      })
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
          <ImportResult state={state} onReset={service.reset} onUndo={setUndoTarget} />
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
          // closes at once: undoing takes long, and goes on while other pages are shown
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
          <p>{formatImportedCounts(counts.imported, counts.messages, counts.files)}</p>
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
          {getErrorMessage(error)}
        </Callout>
      </CardSection>
    )
  const otherImports = imports.filter(({ id }) => state.phase !== 'ended' || id !== state.importId)
  if (state.phase === 'running' || otherImports.length === 0) return null
  return (
    <CardSection>
      <ul aria-label={t`Imports`} className="grid gap-3">
        {otherImports.map(({ id, source, imported_at, conversations }) => {
          const description = describeImport(names[source], formatDate(new Date(imported_at)), conversations)
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
