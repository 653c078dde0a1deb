import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountRead } from '#shared/contracts/account.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { avatarQuery } from '../../lib/account/account-queries.ts'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { saveAccount } from '../../lib/account/save-settings.ts'
import { useInput } from '../../lib/input/use-input.ts'
import type { UploadedAvatar } from './avatar-picker.tsx'
import { loadChangedAccount } from './load-changed-account.ts'

/** The form of the name and the avatar. Only what was changed is sent. */
export function useProfileForm(profile: AccountRead['profile']) {
  const queryClient = useQueryClient()
  const { data: savedImageUrl } = useQuery(avatarQuery(profile.avatar_id))
  const input = useInput('profile', { stored: profile.display_name })
  const { value: name, isDirty } = input
  const avatar = useInput<UploadedAvatar | null>('profile/avatar', { stored: null })
  const uploadedAvatar = avatar.value

  const { isBusy, start } = useActionMutation('profile', {
    run: async () => {
      const account = await saveAccount(queryClient, async () => {
        const saved = await callApi('account.save', {
          body: {
            ...(isDirty && { display_name: name, display_name_seen: profile.display_name }),
            ...(uploadedAvatar && { avatar_id: uploadedAvatar.id }),
          },
        })
        // before the account has its id, so that it is not loaded
        if (uploadedAvatar)
          queryClient.setQueryData(avatarQuery(uploadedAvatar.id).queryKey, uploadedAvatar.url)
        return saved
      })
      input.markSaved(account.profile.display_name)
      avatar.markSaved(null)
    },
    onSuccess: (_saved, _input, { notify }) =>
      notify('success', t`Profile updated!`, {
        description: t`Your changes have been saved successfully.`,
      }),
    onError: async (error, _input, { notify }) => {
      if (!(await loadChangedAccount(queryClient, error)))
        notify('error', t`Update failed`, { description: getActionErrorMessage(error), cause: error })
    },
  })
  return {
    /** the name */
    input,
    /** the uploaded avatar, or the saved one */
    imageUrl: uploadedAvatar?.url ?? savedImageUrl,
    changeAvatar: avatar.change,
    hasChanges: isDirty || uploadedAvatar !== null,
    isBusy,
    start,
  }
}
