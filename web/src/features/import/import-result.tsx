import { plural, t } from '@lingui/core/macro'
import { useId } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import { describeEnd } from './describe-end.ts'
import { describeLeftOut } from './describe-left-out.ts'
import { formatImportedCounts, formatLibraryCounts } from './format-counts.ts'
import type { ImportCounts } from './import-counts.ts'
import type { ImportState } from './import-service.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'
import type { UndoTarget } from './undo-import-dialog.tsx'

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
export function ImportResult({
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
