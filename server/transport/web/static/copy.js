// Copies a secret that is shown once. Without this file the text can be selected and copied by hand.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // pages without https have no clipboard of their own
    }
    button.textContent = "Copied";
  });
}
