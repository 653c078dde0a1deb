import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronDown, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { maxDisabledTools } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { PickerPopover } from '../../../components/ui/popover.tsx'
import type { ToolPickerProps } from '../../../lib/conversations/tool-picker-context.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { countEnabled, isEnabled, switchConnection, switchTool } from './disabled-tools.ts'
import { CheckRow } from '../../../components/ui/check-row.tsx'
import { translateName } from '../../../lib/text/translate-name.ts'

/** The texts of the picker of a conversation. */
const chatTexts = {
  title: t`Tools in this chat`,
  describeOff: (off: number) => (off === 0 ? t`Tools in this chat` : t`Tools in this chat: ${off} off`),
  hint: t`For this conversation, starting with your next message. New connections are on by default.`,
}
/** The texts of the picker of a project. */
const projectTexts = {
  title: t`Tools of new conversations`,
  describeOff: (off: number) =>
    off === 0 ? t`All tools are on` : plural(off, { one: '# tool is off', other: '# tools are off' }),
  hint: t`New connections are on by default.`,
}

const noteClass = 'px-2.5 pt-1.5 pb-1 text-xs text-ink-faint'

/** Lists the user's connections with their tools, to turn them on and off for one conversation, or for a project's new ones. */
export function ToolPicker({
  userId,
  disabledTools,
  onChange,
  isForProject = false,
}: ToolPickerProps & { userId: string; isForProject?: boolean }) {
  // fetched by the top bar
  const { data = [] } = useQuery({ ...toolsQuery(userId), enabled: false })
  const connections = data.filter(({ capabilities }) => capabilities.length > 0)
  if (connections.length === 0) return null
  const disabledCount = connections.reduce(
    (sum, connection) => sum + connection.capabilities.length - countEnabled(disabledTools, connection),
    0,
  )
  const { title, describeOff, hint } = isForProject ? projectTexts : chatTexts
  const label = describeOff(disabledCount)
  return (
    <PickerPopover
      title={title}
      icon={<Wrench aria-hidden size={16} className="shrink-0" />}
      label={label}
      button={<span className="truncate">{label}</span>}
    >
      <ConnectionList
        connections={connections}
        disabledTools={disabledTools}
        onChange={onChange}
        hint={hint}
      />
    </PickerPopover>
  )
}

/** The connections, and below them a hint, or that too much was turned off while the picker is open. */
function ConnectionList({
  connections,
  disabledTools,
  onChange,
  hint,
}: ToolPickerProps & { connections: readonly IntegrationTools[]; hint: string }) {
  const [isLimitExceeded, setIsLimitExceeded] = useState(false)
  const change = (next: DisabledTool[]) => {
    setIsLimitExceeded(next.length > maxDisabledTools)
    if (next.length <= maxDisabledTools) onChange(next)
  }
  return (
    <>
      <ul>
        {connections.map((connection) => (
          <ConnectionRow
            key={connection.id}
            connection={connection}
            disabledTools={disabledTools}
            onChange={change}
          />
        ))}
      </ul>
      {isLimitExceeded ? (
        // the keys: an alert is announced when its element is added
        <p key="alert" role="alert" className={noteClass}>
          {t`That is too many single tools to turn off. Turn off a whole connection instead.`}
        </p>
      ) : (
        <p key="hint" className={noteClass}>
          {hint}
        </p>
      )}
    </>
  )
}

function ConnectionRow({
  connection,
  disabledTools,
  onChange,
}: { connection: IntegrationTools } & Pick<ToolPickerProps, 'disabledTools' | 'onChange'>) {
  const [isOpen, setIsOpen] = useState(false)
  const { id, name, capabilities } = connection
  const enabledCount = countEnabled(disabledTools, connection)
  return (
    <li>
      <div className="flex items-center gap-1">
        <CheckRow
          label={<span className="font-medium">{name}</span>}
          isChecked={enabledCount > 0}
          isPartial={enabledCount > 0 && enabledCount < capabilities.length}
          onChange={() =>
            onChange(switchConnection(disabledTools, id, { isOn: enabledCount < capabilities.length }))
          }
        />
        <Button
          variant="ghost"
          size="compact"
          aria-expanded={isOpen}
          aria-label={t`Tools of ${name}, ${{ enabled: enabledCount }} of ${{ all: capabilities.length }}`}
          onClick={() => setIsOpen(!isOpen)}
          className="shrink-0"
        >
          <span className="text-xs text-ink-faint">{t`${{ enabled: enabledCount }} of ${{ all: capabilities.length }}`}</span>
          <ChevronDown aria-hidden size={16} className={clsx(isOpen && 'rotate-180')} />
        </Button>
      </div>
      {isOpen && (
        <ul aria-label={t`Tools of ${name}`} className="ps-6">
          {capabilities.map((tool) => (
            <li key={tool.id}>
              <CheckRow
                label={translateName(tool.name)}
                isChecked={isEnabled(disabledTools, id, tool.id)}
                onChange={(isOn) => onChange(switchTool(disabledTools, connection, tool.id, { isOn }))}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
