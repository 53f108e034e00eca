// Furo has this line inline; the content security policy of the service allows scripts from files only.
document.body.dataset.theme = localStorage.getItem("theme") || "auto";
