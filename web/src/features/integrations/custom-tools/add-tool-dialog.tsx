import { t } from '@lingui/core/macro'
import { useId, useState, type FormEvent } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import { Optional } from '../connect/credential-fields.tsx'
import { CustomFields } from './custom-fields.tsx'
import { createToolForm, type ToolForm } from './custom-tool-form.ts'
import { ToolTestResult } from './tool-test-result.tsx'
import { useAddTool, useToolTest } from './use-tool-actions.ts'

/** The limits of the API. */
const maxCharacters = { name: 200, description: 2_000 }

interface AddToolDialogProps {
  userId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Adds a tool server of the user, with an optional connection test. */
export function AddToolDialog({ userId, open, onOpenChange }: AddToolDialogProps) {
  const formId = useId()
  const { input, nameError, clearNameError, test, add, submit } = useNewTool(userId, () =>
    onOpenChange(false),
  )
  const [areValuesVisible, setAreValuesVisible] = useState(false)
  const resetTest = () => test.reset()
  const changeOpen = (isOpen: boolean) => {
    // what is said of this tool is not true of the next one
    if (!isOpen) {
      resetTest()
      clearNameError()
      setAreValuesVisible(false)
    }
    onOpenChange(isOpen)
  }
  const cancel = () => {
    input.reset()
    changeOpen(false)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      inputs={[input]}
      isBusy={add.isBusy}
      title={t`Add Custom MCP Tool`}
      footer={
        <>
          <Button
            className="sm:me-auto"
            disabled={input.value.serverUrl.trim() === ''}
            busy={test.isBusy}
            onClick={() => test.start(input.value)}
          >
            {t`Test connection`}
          </Button>
          <Button variant="ghost" disabled={add.isBusy} onClick={cancel} className="max-sm:hidden">
            {t`Cancel`}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={add.isBusy}>
            {t`Add tool`}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label={t`Name`}
          autoComplete="off"
          maxLength={maxCharacters.name}
          placeholder={t`Company wiki`}
          error={nameError}
          input={input.at('name')}
          onInput={clearNameError}
        />
        <TextField
          label={t`Description`}
          labelAside={<Optional />}
          autoComplete="off"
          maxLength={maxCharacters.description}
          placeholder={t`Custom MCP Tool`}
          input={input.at('description')}
        />
        <TextField
          label={t`Server URL`}
          labelAside={<Optional />}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`https://mcp.example.com`}
          input={input.at('serverUrl')}
          onInput={resetTest}
        />
        <PasswordField
          isCredential
          label={t`API key`}
          labelAside={<Optional />}
          autoComplete="off"
          areSecretsVisible={areValuesVisible}
          hint={t`Stored encrypted. It is never shown again and never sent to the model.`}
          input={input.at('apiKey')}
          onInput={resetTest}
        />
        <CustomFields
          input={input}
          areValuesVisible={areValuesVisible}
          onToggleValues={() => setAreValuesVisible(!areValuesVisible)}
          onChange={resetTest}
        />
        <ToolTestResult test={test} />
      </form>
    </Dialog>
  )
}

/** The form of a tool that is added: its values, its test, and saving it. @param onAdded called when nothing was entered since */
function useNewTool(userId: string, onAdded: () => void) {
  const [empty] = useState(createToolForm)
  const input = useInput<ToolForm>('tool/new', { stored: empty })
  const [nameError, setNameError] = useState<string>()
  const test = useToolTest()
  const add = useAddTool(userId, (sent) => {
    // what was typed meanwhile is for the next tool
    sent.markSaved(empty)
    test.reset()
    if (!sent.isDirty) onAdded()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isBusy) return
    if (input.value.name.trim() === '') {
      setNameError(t`Tool name is required`)
      showToast('warning', t`Validation Error`, { description: t`Tool name is required` })
      return
    }
    add.start(input)
  }
  return { input, nameError, clearNameError: () => setNameError(undefined), test, add, submit }
}
