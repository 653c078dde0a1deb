import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { EraseDialog } from './delete-account-dialog.tsx'
import { errorMessage, ApiError } from '../../lib/api-errors.ts'
import { heldQuery, heldSentence } from './stored-data-query.ts'
import { CardPart, SettingRow } from './settings-card.tsx'
import { callApi } from '../../lib/call-api.ts'

/** What is held of the user, the way to take it along, and the way to erase it. */
export function YourData({ email, onOpenFiles }: { email: string; onOpenFiles: () => void }) {
  const held = useQuery(heldQuery)
  const [exporting, setExporting] = useState(false)
  const [erasing, setErasing] = useState(false)

  const exportAll = async () => {
    setExporting(true)
    try {
      await saveExport()
      showToast('success', 'Export ready', { description: 'Look for the zip file among your downloads.' })
    } catch (error) {
      showToast('error', 'Export failed', { description: errorMessage(error) })
    } finally {
      setExporting(false)
    }
  }

  return (
    <>
      <CardPart>
        <SettingRow title="Your files" about="What you attached, and the pictures made for you, one by one.">
          <Button onClick={onOpenFiles}>Show files</Button>
        </SettingRow>
      </CardPart>
      <CardPart>
        <SettingRow
          title="What is held about you"
          about={
            held.data ? (
              <p>{heldSentence(held.data)}</p>
            ) : held.isError ? (
              <p>It could not be counted just now.</p>
            ) : (
              <Skeleton className="my-1 h-3.5 w-72 max-w-full" />
            )
          }
        >
          <Button busy={exporting} onClick={() => void exportAll()}>
            {exporting ? 'Exporting…' : 'Export everything'}
          </Button>
        </SettingRow>
      </CardPart>
      <CardPart>
        <SettingRow
          title="Delete account"
          about="Removes your account and everything held about you, for good."
        >
          <Button tone="danger" onClick={() => setErasing(true)}>
            Delete account
          </Button>
        </SettingRow>
      </CardPart>
      <EraseDialog open={erasing} onOpenChange={setErasing} email={email} held={held.data} />
    </>
  )
}

/** The server ends an export that takes longer. */
const timeoutMs = 15 * 60_000

/**
 * Has an archive of everything made, and the browser download it.
 * @throws what `callApi` throws; ApiError when the archive could not be made
 */
export async function saveExport(): Promise<void> {
  const made = await callApi('account.export', {}, { timeoutMs })
  if (!made.success) {
    const { error: sentence, code, requestId } = made
    throw new ApiError({ status: 503, userMessage: sentence, code, requestId })
  }
  const link = document.createElement('a')
  link.href = made.url
  // the store's address is another origin, which names the file itself
  link.rel = 'noopener'
  link.click()
}
