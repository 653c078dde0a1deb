import { t } from '@lingui/core/macro'
import type { Assistant } from '#shared/contracts/assistants.ts'
import {
  maxAssistantDescriptionCharacters,
  maxAssistantNewsCharacters,
  maxProjectNameCharacters,
} from '#shared/limits.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TextAreaField, TextField } from '../../components/ui/field.tsx'
import type { Input } from '../../lib/input/use-input.ts'
import { PictureButtons } from './picture-buttons.tsx'
import { findShownPicture, type PublishForm } from './publish-form.ts'
import { StarterFields } from './starter-fields.tsx'

interface FieldsProps {
  input: Input<PublishForm>
}

/** Name, picture, description and starters. @param before the version that is published now */
export function AppearanceFields({
  input,
  before,
  isValidated,
}: FieldsProps & { before: Pick<Assistant, 'picture'> | undefined; isValidated: boolean }) {
  const { name } = input.value
  return (
    <Card as="section" className="grid gap-5 p-6 max-sm:p-4">
      <div className="flex items-center gap-4">
        <NameTile name={name} picture={findShownPicture(input.value, before)} size="lg" />
        <PictureButtons input={input} before={before} />
      </div>
      <TextField
        label={t`Name`}
        input={input.at('name')}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={isValidated && name.trim() === '' ? t`Please enter a name.` : undefined}
      />
      <TextAreaField
        label={t`What is it for?`}
        input={input.at('description')}
        rows={2}
        maxLength={maxAssistantDescriptionCharacters}
      />
      <StarterFields input={input} />
    </Card>
  )
}

/** What conversations that go on with the new version say of it. */
export function NewsField({ input, version }: FieldsProps & { version: number }) {
  return (
    <Card as="section" className="p-6 max-sm:p-4">
      <TextField
        label={t`What is new in version ${{ version }}?`}
        input={input.at('news')}
        maxLength={maxAssistantNewsCharacters}
        dir="auto"
        autoComplete="off"
        hint={t`Shown once in conversations that go on with the new version.`}
      />
    </Card>
  )
}
