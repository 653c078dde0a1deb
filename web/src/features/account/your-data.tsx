import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useAction } from '../../components/use-action.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { getErrorMessage, ApiError } from '../../lib/api/api-errors.ts'
import { CopyDetails } from '../../components/ui/copy-details.tsx'
import { formatStoredData } from '../../components/format-stored-data.ts'
import { storedDataQuery } from './stored-data-query.ts'
import { CardSection, SettingRow } from '../../components/settings-card.tsx'
import { callApi } from '../../lib/api/call-api.ts'
import { downloadFile } from '../../lib/browser/download.ts'
import { language } from '../../lib/text/locale.ts'
import { translateSentence } from '../../lib/text/translate.ts'

/** The service gives up after this time. */
const exportTimeoutMs = 15 * 60_000

export function YourData({
  email,
  isAdmin,
  onOpenFiles,
}: {
  email: string
  isAdmin: boolean
  onOpenFiles: () => void
}) {
  const { data: storedData } = useQuery(storedDataQuery)
  const [isDeleting, setIsDeleting] = useState(false)
  const actions = useActions()
  const showToast = useUserToast()

  const { isBusy: isExporting, start: exportAll } = useAction(
    'export everything',
    async () => {
      const url = await requestExport()
      // somebody else may sit at the screen by now
      if (actions.isClosed()) return
      // the link is of another origin, which sets the name of the file
      downloadFile(url, '')
      showToast('success', t`Export ready`, { description: t`Look for the zip file among your downloads.` })
    },
    t`Export failed`,
  )

  return (
    <>
      <CardSection>
        <SettingRow
          title={t`Your files`}
          description={t`The files you attached and the images generated for you.`}
        >
          <Button onClick={onOpenFiles}>{t`Show files`}</Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow title={t`Your stored data`} description={<StoredData />}>
          <Button busy={isExporting} onClick={() => exportAll()}>
            {isExporting ? t`Exporting…` : t`Export everything`}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <SettingRow
          title={t`Delete account`}
          description={t`Permanently deletes your account and all your data.`}
        >
          <Button variant="danger" onClick={() => setIsDeleting(true)}>
            {t`Delete account`}
          </Button>
        </SettingRow>
      </CardSection>
      <DeleteAccountDialog
        open={isDeleting}
        onOpenChange={setIsDeleting}
        email={email}
        isAdmin={isAdmin}
        storedData={storedData}
      />
    </>
  )
}

function StoredData() {
  const { data, error } = useQuery(storedDataQuery)
  if (data) return <p>{formatStoredData(data)}</p>
  if (!error) return <Skeleton className="my-1 h-3.5 w-72 max-w-full" />
  return (
    <p>
      {t`It could not be counted. Please try again later.`} {getErrorMessage(error)}{' '}
      <CopyDetails error={error} />
    </p>
  )
}

/**
 * Has the service pack all data of the user into an archive, which may take minutes.
 * @returns the link to the archive
 * @throws what `callApi` throws; ApiError when the archive could not be created
 */
async function requestExport(): Promise<string> {
  const response = await callApi('account.export', { query: { language } }, { timeoutMs: exportTimeoutMs })
  if (response.success) return response.url
  const { error: text, code } = response
  throw new ApiError({ status: 503, code, userMessage: translateSentence({ code, text }) })
}
