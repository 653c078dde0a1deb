import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getOwn } from '#shared/get-own.ts'
import { CardSection } from '../../components/settings-card.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { useBrand } from '../../lib/api/config.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { importsQuery } from './import-queries.ts'
import type { ImportState } from './import-service.ts'
import type { UndoTarget } from './undo-import-dialog.tsx'

function describeImport(name: string, date: string, conversations: number) {
  return plural(conversations, {
    one: `${name}, ${date}: # conversation`,
    other: `${name}, ${date}: # conversations`,
  })
}

/** The imports that can be undone, without the one whose result is shown with a button for that; nothing while one is running. */
export function EarlierImports({
  state,
  onUndo,
}: {
  state: ImportState
  onUndo: (target: UndoTarget) => void
}) {
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
