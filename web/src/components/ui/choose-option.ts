/** Calls `onChange` with the value if an option has it: controls report any string. */
export function chooseOption<Value extends string>(
  options: readonly { value: Value }[],
  value: string,
  onChange: (value: Value) => void,
): void {
  const option = options.find((each) => each.value === value)
  if (option) onChange(option.value)
}
