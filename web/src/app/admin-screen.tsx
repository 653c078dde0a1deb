import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyDetails } from '../components/ui/copy-details.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { Button } from '../components/ui/button.tsx'
import { AdminPage } from '../features/admin/admin-page.tsx'
import { accountQuery } from '../lib/account/account-queries.ts'
import { getErrorMessage } from '../lib/api/api-errors.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** The pages at /admin; everybody but administrators gets the 404 page. The API rejects their requests anyway. */
export function AdminScreen() {
  const user = useSignedInUser()
  const { data: account, error, refetch } = useQuery(accountQuery)
  const isAdmin = account?.is_admin === true
  // a user who has lost the role meanwhile is told so, instead of getting the 404 page
  const [wasAdmin, setWasAdmin] = useState(isAdmin)
  if (isAdmin && !wasAdmin) setWasAdmin(true)
  if (wasAdmin) return <AdminPage user={user} isAdmin={isAdmin} />
  if (account) return <NotFoundPage />
  if (!error) return <LoadingScreen />
  return (
    <PageFrame>
      <div role="alert" className="m-auto max-w-md p-6">
        <h1 className="mb-2 text-2xl font-semibold">{t`Something went wrong`}</h1>
        <p className="mb-6 text-base text-ink-muted">{getErrorMessage(error)}</p>
        <div className="flex flex-wrap items-center gap-4">
          <Button onClick={() => void refetch()}>{t`Try again`}</Button>
          <CopyDetails error={error} />
        </div>
      </div>
    </PageFrame>
  )
}
