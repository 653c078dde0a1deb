import { t } from '@lingui/core/macro'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { getErrorMessage } from '../../../lib/api/api-errors.ts'
import type { NextPage } from './catalogue-view.ts'

/** Loads the next page of the catalogue. */
export function MoreResults({ nextPage: { isLoading, error, load } }: { nextPage: NextPage }) {
  return (
    <div className="mt-6 grid place-items-center gap-4">
      {error && (
        <Callout variant="danger" error={error}>
          {t`More could not be loaded.`} {getErrorMessage(error)}
        </Callout>
      )}
      <Button busy={isLoading} onClick={load}>
        {isLoading ? t`Loading...` : t`Load More`}
      </Button>
    </div>
  )
}
