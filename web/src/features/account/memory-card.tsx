import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import { useBrand } from '../../lib/api/config.ts'
import { memoriesQuery } from '../../lib/queries/memory-queries.ts'
import { MemoryList } from './memory-list.tsx'
import { useSettingSwitch } from './use-setting-switch.ts'

/** Whether the assistant remembers facts about the user, and the list of them. */
export function MemoryCard({
  settings: { memory = false, keep_conversations: keepsConversations },
}: {
  settings: Pick<Settings, 'memory' | 'keep_conversations'>
}) {
  const { assistantName } = useBrand()
  const memories = useQuery(memoriesQuery)
  const mayRemember = useRight('memory')

  const remembering = useSettingSwitch('memory', memory)
  const isOn = remembering.checked

  return (
    <SettingsCard title={t`Memory`}>
      <CardSection>
        <SwitchRow
          label={t`Remember facts about me`}
          {...remembering}
          checked={isOn && mayRemember}
          disabled={!mayRemember}
        >
          {t`${assistantName} remembers facts that you tell it, and uses them in all saved conversations. Each reply shows what it remembered, with Undo. When off, the list below stays and is not used. Temporary chats never use it.`}
        </SwitchRow>
        {!mayRemember && (
          <div className="mt-3">
            <Callout variant="info">{t`Your group may not use memory. What is stored stays, and you can delete it.`}</Callout>
          </div>
        )}
        {isOn && mayRemember && !keepsConversations && (
          <div className="mt-3">
            <Callout variant="info">{t`All your chats are temporary, because “Keep conversations” is off. So memory is not used.`}</Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <QueryContent
          query={memories}
          label={t`Loading the memory`}
          failure={t`The memory could not be loaded.`}
        >
          {(list) => <MemoryList memories={list} isOn={isOn && mayRemember} mayAdd={mayRemember} />}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}
