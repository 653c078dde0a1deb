import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery, saveSettings } from '../../lib/account-queries.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useBrand } from '../../lib/config.ts'
import { memoriesQuery } from '../../lib/memory-queries.ts'
import { MemoryList } from './memory-list.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import * as texts from './memory-texts.ts'

/** Whether the assistant remembers facts about the user, and the list of them. */
export function MemoryCard({
  settings: { memory: isOn = false, keep_conversations: keepsConversations },
}: {
  settings: Pick<Settings, 'memory' | 'keep_conversations'>
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const memories = useQuery(memoriesQuery)

  const toggle = async (on: boolean) => {
    const updateCache = (memory: boolean) =>
      queryClient.setQueryData(
        accountQuery.queryKey,
        (current) => current && { ...current, settings: { ...current.settings, memory } },
      )
    updateCache(on)
    try {
      await saveSettings(queryClient, { memory: on })
    } catch (cause) {
      updateCache(isOn)
      showToast('error', texts.notSwitched, { description: errorMessage(cause) })
    }
  }

  return (
    <SettingsCard title={texts.title}>
      <CardSection>
        <SwitchRow label={texts.switchLabel} checked={isOn} onChange={(on) => void toggle(on)}>
          {texts.switchHint(assistantName)}
        </SwitchRow>
        {isOn && !keepsConversations && (
          <div className="mt-3">
            <Callout variant="info">{texts.allTemporary}</Callout>
          </div>
        )}
      </CardSection>
      <CardSection>
        <Loaded query={memories} label={texts.loading} failure={texts.notLoaded}>
          {(list) => <MemoryList memories={list} isOn={isOn} />}
        </Loaded>
      </CardSection>
    </SettingsCard>
  )
}
