import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountRead, DataCounts } from '#shared/contracts/account.ts'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery, saveSettings } from '../../lib/account-queries.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { DeleteConversationsDialog } from './delete-conversations-dialog.tsx'
import { storedDataQuery } from './stored-data-query.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { YourData } from './your-data.tsx'
import * as texts from './texts.ts'

type SwitchName = 'keep_conversations' | 'store_uploads'

/** What is saved, and exporting and deleting it. */
export function PrivacyCard({
  account: { settings, is_admin },
  email,
  onOpenFiles,
}: {
  account: AccountRead
  email: string
  onOpenFiles: () => void
}) {
  const queryClient = useQueryClient()
  const { data: storedData } = useQuery(storedDataQuery)
  const [isDeleting, setIsDeleting] = useState(false)

  const toggle = async (name: SwitchName, on: boolean) => {
    const previousAccount = queryClient.getQueryData(accountQuery.queryKey)
    const updateCache = (value: boolean) =>
      queryClient.setQueryData(
        accountQuery.queryKey,
        (current) => current && { ...current, settings: { ...current.settings, [name]: value } },
      )
    updateCache(on)
    try {
      await saveSettings(queryClient, { [name]: on })
    } catch (error) {
      if (previousAccount) updateCache(previousAccount.settings[name])
      showToast('error', texts.updateFailed, { description: errorMessage(error) })
    }
  }

  return (
    <SettingsCard title={texts.privacy} subtitle={texts.privacyHint}>
      <CardSection>
        <SwitchRow
          label={texts.keepConversations}
          checked={settings.keep_conversations}
          onChange={(on) => void toggle('keep_conversations', on)}
        >
          {texts.keepConversationsHint}
        </SwitchRow>
        {!settings.keep_conversations && describeSaved(storedData) !== undefined && (
          <div className="mt-3">
            <Callout variant="info" action={{ label: texts.deleteSaved, onClick: () => setIsDeleting(true) }}>
              {describeSaved(storedData)}
            </Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <SwitchRow
          label={texts.storeUploads}
          checked={settings.store_uploads}
          onChange={(on) => void toggle('store_uploads', on)}
        >
          {texts.storeUploadsHint}
        </SwitchRow>
      </CardSection>
      <YourData email={email} isAdmin={is_admin === true} onOpenFiles={onOpenFiles} />
      <DeleteConversationsDialog
        open={isDeleting}
        onOpenChange={setIsDeleting}
        conversationCount={storedData?.conversations ?? 0}
      />
    </SettingsCard>
  )
}

function describeSaved(storedData: DataCounts | undefined): string | undefined {
  if (!storedData || storedData.conversations === 0) return undefined
  return texts.stillSaved(storedData.conversations)
}
