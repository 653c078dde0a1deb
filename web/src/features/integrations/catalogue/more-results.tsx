import { t } from '@lingui/core/macro'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import type { Catalogue } from './use-catalogue.ts'

/** Loads the next page of the catalogue. */
export function MoreResults({ catalogue }: { catalogue: Catalogue }) {
  return (
    <div className="mt-6 grid place-items-center gap-4">
      {catalogue.moreError && (
        <Callout variant="danger">
          {t`More could not be loaded.`} {getErrorMessage(catalogue.moreError)}
        </Callout>
      )}
      <Button busy={catalogue.isLoadingMore} onClick={catalogue.loadMore}>
        {catalogue.isLoadingMore ? t`Loading...` : t`Load More`}
      </Button>
    </div>
  )
}
