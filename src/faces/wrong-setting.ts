/** A wrong setting: one sentence that names the variable, never its value. */
export class WrongSetting extends Error {
  override readonly name = "WrongSetting";
}
