import { t } from '@lingui/core/macro'
import type { Group } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { describeLimits } from '../describe-limits.ts'
import { maxGroupDescriptionCharacters, maxGroupNameCharacters } from '../service-limits.ts'
import { LimitsChange } from '../limits-change.tsx'
import { findLimitProblems, toLimits } from './limits-draft.ts'
import { LimitsForm } from './limits-form.tsx'
import { useGroupForm } from './use-group-form.ts'

const describeConflict = (limits: string) =>
  t`Somebody else has changed this group meanwhile. It now says: ${limits} Save again to replace that, or use the newer version.`
/** A description and limits as one sentence. */
const formatSentence = (description: string, limits: readonly string[]) =>
  [description, limits.join(', ')]
    .map((part) => part.trim().replace(/[.]$/, ''))
    .filter(Boolean)
    .join('; ') + '.'

/** Creates a group, or changes its description and limits. @param group undefined for a new one */
export function GroupDialog({
  group: edited,
  open,
  onClose,
}: {
  group: Group | undefined
  open: boolean
  onClose: () => void
}) {
  const models = useConfig()?.models
  const { input, group, newerGroup, replaceInput, limitProblems, hasNameProblem, save } = useGroupForm(edited)
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      wide
      inputs={[input]}
      title={group ? t`Group “${group.name}”` : t`New group`}
      confirmLabel={group ? t`Save` : t`Create group`}
      actionKey={`group ${group?.name ?? 'new'}`}
      onConfirm={save}
    >
      {!edited && (
        <TextField
          label={t`Name`}
          hint={t`It cannot be changed later.`}
          input={input.at('name')}
          error={
            hasNameProblem
              ? t`Please use 1 to ${{ max: maxGroupNameCharacters }} letters, digits, blanks and - _ . & + ( ).`
              : undefined
          }
          autoComplete="off"
          spellCheck={false}
          maxLength={maxGroupNameCharacters}
          dir="auto"
        />
      )}
      <TextField
        label={t`Description`}
        input={input.at('description')}
        autoComplete="off"
        maxLength={maxGroupDescriptionCharacters}
        dir="auto"
      />
      <LimitsForm input={input} problems={limitProblems} />
      {group && Object.keys(findLimitProblems(input.value.draft)).length === 0 && (
        <LimitsChange
          before={group.limits}
          after={toLimits(input.value.draft)}
          whose={t`For members of no other group:`}
        />
      )}
      {newerGroup && (
        <Callout
          variant="warning"
          action={{ label: t`Use the newer version`, onClick: () => replaceInput(newerGroup) }}
        >
          {describeConflict(formatSentence(newerGroup.description, describeOwnLimits(newerGroup, models)))}
        </Callout>
      )}
    </ActionDialog>
  )
}

function describeOwnLimits(group: Group, models: readonly PublicModel[] | undefined): string[] {
  const phrases = describeLimits(group.limits, models)
  return phrases.length === 0 ? [t`no limits of its own`] : phrases
}
