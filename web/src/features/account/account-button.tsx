import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Avatar } from '../../components/ui/avatar.tsx'
import type { Profile } from '../../lib/account/use-profile.ts'

/** The button that opens the account menu; also its placeholder while the menu loads. */
export function AccountButton({ profile, ...rest }: { profile: Profile } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="menu"
      {...rest}
      type="button"
      aria-label={`${profile.initials}, ${t`account menu`}`}
      className="grid size-8 shrink-0 place-items-center rounded-full max-sm:size-11"
    >
      <Avatar initials={profile.initials} imageUrl={profile.imageUrl} />
    </button>
  )
}
