import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleUser, Keyboard, LogOut, Settings, ShieldUser } from 'lucide-react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import { Avatar } from '../../components/ui/avatar.tsx'
import {
  Menu,
  MenuRadioGroup,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '../../components/ui/menu.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { shortcuts } from '../../lib/input/shortcuts.ts'
import type { Profile } from '../../lib/account/use-profile.ts'
import { settingsPath, adminUsersPath } from '../../lib/navigation/paths.ts'
import { AccountButton } from './account-button.tsx'
import { themeOptions, useThemeChoice } from './theme-choice.tsx'

/** The user's name and address, the theme, and the ways to the profile, the settings, the administration, the shortcuts and the sign-out. */
export function AccountMenu({
  profile,
  open,
  onOpenChange,
  onShowShortcuts,
  onSignOut,
}: {
  profile: Profile
  open: boolean
  onOpenChange: (open: boolean) => void
  onShowShortcuts: () => void
  onSignOut: () => void
}) {
  const [theme, selectTheme] = useThemeChoice()
  const navigate = useNavigate()
  const { data: account } = useQuery(accountQuery)
  return (
    // a modal menu would hide the page from screen readers
    <Menu open={open} onOpenChange={onOpenChange} modal={false}>
      <MenuTrigger asChild>
        <AccountButton profile={profile} />
      </MenuTrigger>
      <MenuContent>
        <div className="flex items-center gap-2.5 px-2.5 pt-1.5 pb-2">
          <Avatar initials={profile.initials} imageUrl={profile.imageUrl} />
          <div className="min-w-0">
            <p className="truncate font-medium" dir="auto" title={profile.name}>
              {profile.name}
            </p>
            <p className="truncate text-sm text-ink-muted" dir="auto" title={profile.email}>
              {profile.email}
            </p>
          </div>
        </div>
        <MenuRadioGroup label={t`Theme`} value={theme} options={themeOptions} onChange={selectTheme} />
        <MenuSeparator />
        <MenuItem icon={<CircleUser aria-hidden size={16} />} onSelect={() => navigate('/profile')}>
          {t`Profile`}
        </MenuItem>
        <MenuItem icon={<Settings aria-hidden size={16} />} onSelect={() => navigate(settingsPath)}>
          {t`Settings`}
        </MenuItem>
        {account?.is_admin && (
          <MenuItem icon={<ShieldUser aria-hidden size={16} />} onSelect={() => navigate(adminUsersPath)}>
            {t`Administration`}
          </MenuItem>
        )}
        <MenuItem
          icon={<Keyboard aria-hidden size={16} />}
          shortcut={shortcuts.list.key}
          onSelect={onShowShortcuts}
        >
          {t`Keyboard shortcuts`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden size={16} />} onSelect={onSignOut}>
          {t`Log out`}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
