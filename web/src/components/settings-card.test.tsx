import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SectionTitle, SettingsCard } from './settings-card.tsx'

it('a card shows its title, unless the title of the page says the same', () => {
  render(
    <SectionTitle value="Memory">
      <SettingsCard title="Memory">{null}</SettingsCard>
      <SettingsCard title="Saved prompts">{null}</SettingsCard>
    </SectionTitle>,
  )
  const isVisible = (name: string) => !screen.getByRole('heading', { name }).classList.contains('sr-only')
  expect([isVisible('Memory'), isVisible('Saved prompts')]).toEqual([false, true])
})
