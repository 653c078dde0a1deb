import { t } from '@lingui/core/macro'
import { useId, useState, type FormEvent, Fragment } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { TextField, inputClass } from '../../../components/ui/field.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { Optional } from '../connect/credential-fields.tsx'
import { createToolForm, type ToolForm, toToolConfig, createRow, removeRow } from './custom-tool-form.ts'
import { ToolTestResult } from './tool-test-result.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { customToolsQuery } from '../state/catalogue-queries.ts'
import { describeError } from '../state/connection-error.ts'
import { invalidateTools, providerTimeoutMs } from '../state/integrations-query.ts'
import { Minus, Plus } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { bind } from '../../../lib/input/text-input.ts'

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

/** Has the service try the server of a tool that is not added yet. */
const useToolTest = () =>
  useActionMutation('tool/test', {
    run: (tool: ToolForm) =>
      callApi('customTools.test', { body: { config: toToolConfig(tool) } }, { timeoutMs: providerTimeoutMs }),
  })

/** Adds a tool, and shows the result by a toast. @param onAdded called with the input that was sent */
function useAddTool(userId: string, onAdded: (sent: Input<ToolForm>) => void) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('tool/add', {
    run: ({ value: tool }: Input<ToolForm>) => {
      const body = {
        name: tool.name.trim(),
        description: tool.description.trim(),
        config: toToolConfig(tool),
      }
      return withRecentSignIn(() => callApi('customTools.add', { body }, { timeoutMs: providerTimeoutMs }))
    },
    onSuccess: (_answer, sent, { notify }) => {
      notify('success', t`Custom Tool Added`, {
        description: t`Successfully added ${{ name: sent.value.name.trim() }}`,
      })
      onAdded(sent)
    },
    // the dialog stays open with its values
    onError: (error, _sent, { notify }) =>
      notify('error', t`Failed to Add Tool`, {
        description: describeError(error, t`Please try again.`),
        cause: error,
      }),
    onSettled: () => {
      invalidateTools(queryClient)
      return queryClient.invalidateQueries({ queryKey: customToolsQuery(userId).queryKey })
    },
  })
}

/** Names and values that are sent with each request to the server. */
function CustomFields({
  input,
  areValuesVisible,
  onToggleValues,
  onChange,
}: {
  input: Input<ToolForm>
  areValuesVisible: boolean
  onToggleValues: () => void
  onChange: () => void
}) {
  const { fields } = input.value
  const changeRows = (rows: ToolForm['fields']) => {
    input.change({ ...input.value, fields: rows })
    onChange()
  }
  const bindRow = (id: string, name: 'key' | 'value') =>
    bind(
      input.part(
        (tool) => tool.fields.find((row) => row.id === id)?.[name] ?? '',
        (tool, text) => ({
          ...tool,
          fields: tool.fields.map((row) => (row.id === id ? { ...row, [name]: text } : row)),
        }),
      ),
      { onInput: onChange },
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 flex w-full justify-between font-medium">
        {t`Custom fields`}
        <Optional />
      </legend>
      {/* in the document the buttons come after the fields: Tab leads from one field to the next */}
      <div className="grid grid-cols-[1fr_1fr_auto] items-center gap-2">
        {fields.map((row, index) => (
          <Fragment key={row.id}>
            <input
              aria-label={t`Field ${{ position: index + 1 }} key`}
              placeholder={t`Key`}
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'key')}
              style={{ gridRow: index + 1, gridColumn: 1 }}
              className={`${inputClass} h-11`}
            />
            <input
              aria-label={t`Field ${{ position: index + 1 }} value`}
              placeholder={t`Value`}
              // values are often secrets
              type={areValuesVisible ? 'text' : 'password'}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'value')}
              style={{ gridRow: index + 1, gridColumn: 2 }}
              className={`${inputClass} h-11`}
            />
          </Fragment>
        ))}
        {fields.map((row, index) => (
          <IconButton
            key={row.id}
            label={t`Remove field ${{ position: index + 1 }}`}
            tooltip={false}
            disabled={fields.length === 1}
            icon={<Minus size={16} />}
            onClick={() => changeRows(removeRow(fields, row.id))}
            style={{ gridRow: index + 1, gridColumn: 3 }}
          />
        ))}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Button
          variant="ghost"
          size="sm"
          className="-ms-3"
          onClick={() => changeRows([...fields, createRow()])}
        >
          <Plus aria-hidden size={16} />
          {t`Add field`}
        </Button>
        <button type="button" onClick={onToggleValues} className="link text-sm">
          {areValuesVisible ? t`Hide values` : t`Show values`}
        </button>
      </div>
    </fieldset>
  )
}
