import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountRead, DataCounts } from '#shared/contracts/account.ts'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { DeleteConversationsDialog } from './delete-conversations-dialog.tsx'
import { storedDataQuery } from './stored-data-query.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { useSettingSwitch } from './use-setting-switch.ts'
import { YourData } from './your-data.tsx'

/** Settings of what is saved, with the export and the deletion of the user's data. The switches save at once. */
export function PrivacyCard({
  account: { settings, is_admin, limits },
  email,
  onOpenFiles,
}: {
  account: AccountRead
  email: string
  onOpenFiles: () => void
}) {
  const { data: storedData } = useQuery(storedDataQuery)
  const [isDeleting, setIsDeleting] = useState(false)

  const keepConversations = useSettingSwitch('keep_conversations', settings.keep_conversations)
  const storeUploads = useSettingSwitch('store_uploads', settings.store_uploads)
  const savedConversations = settings.keep_conversations ? undefined : describeSaved(storedData)

  return (
    <SettingsCard
      title={t`Privacy & Your Digital Footprint`}
      subtitle={t`What stays here after you close the page.`}
    >
      <CardSection>
        <SwitchRow
          label={t`Keep conversations`}
          {...keepConversations}
          // a group that must keep conversations can still switch the setting on, never off
          disabled={settings.keep_conversations && limits?.temporary_chats === false}
        >
          {t`Chats are saved and come back in the history. When off, new chats disappear when you leave; saved ones stay until you delete them.`}
        </SwitchRow>
        {limits?.temporary_chats === false && (
          <div className="mt-3">
            <Callout variant="info">
              {settings.keep_conversations
                ? t`Your group may not have temporary chats, so conversations are kept.`
                : t`Your group may not have temporary chats. Switch this on to send messages.`}
            </Callout>
          </div>
        )}
        {savedConversations !== undefined && (
          <div className="mt-3">
            <Callout
              variant="info"
              action={{ label: t`Delete saved conversations`, onClick: () => setIsDeleting(true) }}
            >
              {savedConversations}
            </Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <SwitchRow label={t`Store uploads`} {...storeUploads}>
          {t`Images and files you share are stored with their chat and deleted with it. When off, each is read once and removed when the reply is done.`}
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

/** @returns undefined if there are none, or it is not known */
function describeSaved(storedData: DataCounts | undefined): string | undefined {
  if (!storedData || storedData.conversations === 0) return undefined
  return plural(
    { count: storedData.conversations },
    {
      one: '# conversation from before is still saved.',
      other: `# conversations from before are still saved.`,
    },
  )
}
