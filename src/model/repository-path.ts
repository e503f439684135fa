/** Whether this is the path of a file in a repository: from its root, downwards only, and outside `.git`. */
export function isRepositoryPath(written: string): boolean {
  return /^[^\\:*?"<>|\p{Cc}\p{Cf}]{1,255}$/u.test(written) && written.split("/").every(isStep);
}

function isStep(name: string): boolean {
  return name.trim() === name && !["", ".", "..", ".git"].includes(name.toLowerCase());
}
