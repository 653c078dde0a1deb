import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountRead, DataCounts } from '#shared/contracts/account.ts'
import { Notice } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery, saveSettings } from '../../lib/account-queries.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { ForgetDialog } from './delete-conversations-dialog.tsx'
import { heldQuery } from './stored-data-query.ts'
import { CardPart, SettingsCard } from './settings-card.tsx'
import { YourData } from './your-data.tsx'

type SwitchName = 'keep_conversations' | 'store_uploads'

/** What is kept, what is held, and the ways to take it along or away (SET-11 to SET-13, DEC-033). */
export function PrivacyCard({
  account: { settings },
  email,
  onOpenFiles,
}: {
  account: AccountRead
  email: string
  onOpenFiles: () => void
}) {
  const queryClient = useQueryClient()
  const { data: held } = useQuery(heldQuery)
  const [forgetting, setForgetting] = useState(false)

  const turn = async (name: SwitchName, on: boolean) => {
    const before = queryClient.getQueryData(accountQuery.queryKey)
    const show = (value: boolean) =>
      queryClient.setQueryData(
        accountQuery.queryKey,
        (known) => known && { ...known, settings: { ...known.settings, [name]: value } },
      )
    show(on)
    try {
      await saveSettings(queryClient, { [name]: on })
    } catch (error) {
      if (before) show(before.settings[name])
      showToast('error', 'Update failed', { description: errorMessage(error) })
    }
  }

  return (
    <SettingsCard title="Privacy & Your Digital Footprint" lede="What stays here after you close the page.">
      <CardPart>
        <SwitchRow
          label="Keep conversations"
          checked={settings.keep_conversations}
          onChange={(on) => void turn('keep_conversations', on)}
        >
          Chats are saved and come back in the history. Off: new chats are gone when you leave; saved ones
          stay until you delete them.
        </SwitchRow>
        {!settings.keep_conversations && savedSentence(held) !== undefined && (
          <div className="mt-3">
            <Notice
              tone="info"
              action={{ label: 'Delete saved conversations', onClick: () => setForgetting(true) }}
            >
              {savedSentence(held)}
            </Notice>
          </div>
        )}
      </CardPart>
      <CardPart>
        <SwitchRow
          label="Store uploads"
          checked={settings.store_uploads}
          onChange={(on) => void turn('store_uploads', on)}
        >
          Images and files you share are kept with their chat, and go with it. Off: each is read once, then
          removed when the reply is done.
        </SwitchRow>
      </CardPart>
      <YourData email={email} onOpenFiles={onOpenFiles} />
      <ForgetDialog open={forgetting} onOpenChange={setForgetting} conversations={held?.conversations ?? 0} />
    </SettingsCard>
  )
}

function savedSentence(held: DataCounts | undefined): string | undefined {
  if (!held || held.conversations === 0) return undefined
  return held.conversations === 1
    ? '1 conversation from before is still saved.'
    : `${held.conversations.toLocaleString('en')} conversations from before are still saved.`
}
